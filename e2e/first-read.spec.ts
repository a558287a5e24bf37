import type { APIRequestContext, Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { availableTherapists, claimByApi } from './help.ts'
import { test } from './own-server.ts'
import { type Account, callAs, register, saveCard, signIn } from './people.ts'
import { roomPath, sessionsHeldHere } from './rooms.ts'

test.use({ seed: 'reference' })

/** Delays the answer to the first such read: the page gets it as it was, by `release`. */
async function holdFirstRead(page: Page, url: RegExp) {
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const seen = { reads: 0 }
  await page.route(url, async (route) => {
    seen.reads++
    if (seen.reads > 1) return route.fallback()
    const response = await route.fetch()
    begun.resolve()
    await released.promise
    await route.fulfill({ response })
  })
  return { seen, begun: begun.promise, release: released.resolve }
}

/** Follows the socket of a page, from before it opens. */
function socketOf(page: Page) {
  const frames: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => void frames.push(String(payload))),
  )
  const has = (what: RegExp) => expect.poll(() => frames.some((frame) => what.test(frame))).toBe(true)
  return { isConnected: () => has(/^40/), hasChange: () => has(/"(session|instant)\.changed"/) }
}

/** Before the read that comes by itself. */
const soon = { timeout: 8000 }

const cancel = (request: APIRequestContext, client: Account, id: string) =>
  callAs(request, client, 'POST', '/appointment/cancel-session', { appointment_id: id })

test('a change during the first read of a page is shown: of the sessions, the room and the search for help', async ({
  server,
  request,
  openContext,
}) => {
  test.setTimeout(240_000)
  const [listed, held] = await sessionsHeldHere(server, request, ['Robin Vale', 'Sam Reed'])
  if (!listed || !held) throw new Error('No session was booked.')
  const opened = async (client: Account) => {
    const page = await (await openContext({ baseURL: server.url })).newPage()
    await signIn(page, client)
    return { page, socket: socketOf(page) }
  }

  await test.step('the sessions, opened while live events come', async () => {
    const { page, socket } = await opened(listed.client)
    await page.goto('/account')
    await socket.isConnected()
    const read = await holdFirstRead(page, /\/appointment\/get-upcoming-sessions$/)
    await page.getByRole('button', { name: /account$/ }).click()
    await page.getByRole('menuitem', { name: 'My Sessions' }).click()
    await read.begun
    await cancel(request, listed.client, listed.id)
    await socket.hasChange()
    read.release()
    await expect(page.getByText("Sorry, but you don't have any sessions to show.")).toBeVisible()
    expect(read.seen.reads).toBe(2)
  })

  await test.step('the room', async () => {
    const { page, socket } = await opened(held.client)
    const read = await holdFirstRead(page, /\/appointment\/[\w-]+\/room$/)
    await page.goto(roomPath(held.id))
    await Promise.all([read.begun, socket.isConnected()])
    await cancel(request, held.client, held.id)
    await socket.hasChange()
    read.release()
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toHaveText('This session was cancelled', soon)
  })

  await test.step('the search for help', async () => {
    await availableTherapists(server, request, [['Nora', 'Ellis']])
    const client = await register(request, 'Robin Vale')
    const { customer_id } = await saveCard(request, client)
    const { session_id } = await claimByApi(request, client)
    const payment = { session_id, fee_amount: 25, customer_id }
    await callAs(request, client, 'POST', '/payment/sandbox/existing-card-payment', payment)
    const { page, socket } = await opened(client)
    const read = await holdFirstRead(page, new RegExp(`/appointment/${session_id}$`))
    await page.goto(`/get-help/session-is-booked?session=${session_id}`)
    await Promise.all([read.begun, socket.isConnected()])
    await cancel(request, client, session_id)
    await socket.hasChange()
    read.release()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You have stopped the search', soon)
  })
})
