import type { Page } from '@playwright/test'
import { expect, inMotion } from './fixtures.ts'
import { availableTherapists, claimByApi } from './help.ts'
import { test } from './own-server.ts'
import { type Account, callAs, register, saveCard } from './people.ts'
import { signInTherapist } from './therapists.ts'

test.use({ ...inMotion, seed: 'reference' })

type Requester = Parameters<typeof claimByApi>[0]

/** Asks a practitioner for a client with a saved card. */
async function askFor(request: Requester, client: Account): Promise<string> {
  const { customer_id } = await saveCard(request, client)
  const { session_id } = await claimByApi(request, client)
  await callAs(request, client, 'POST', '/payment/sandbox/existing-card-payment', {
    session_id,
    fee_amount: 25,
    customer_id,
  })
  return session_id
}

const title = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

test('a practitioner whose acceptance got no answer, or who accepted in another window, is led to the client', async ({
  server,
  request,
  openContext,
  allowComplaint,
}) => {
  test.setTimeout(240_000)
  allowComplaint(/ERR_FAILED/)
  const [nora] = await availableTherapists(server, request, [['Nora', 'Ellis']])
  if (!nora) throw new Error('No practitioner is there to be asked.')
  const open = async () => {
    const page = await (await openContext({ baseURL: server.url })).newPage()
    await signInTherapist(page, nora)
    await page.goto('/therapist/dashboard')
    return page
  }
  const [therapist, other] = [await open(), await open()]
  const sessionId = await askFor(request, await register(request, 'Robin Vale'))

  const offer = therapist.getByRole('alertdialog', { name: 'Robin V. asks for help right now' })
  await expect(offer).toBeVisible()
  // The server has it, and the connection breaks before it has answered.
  await therapist.route('**/requests/*/accept', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await offer.getByRole('button', { name: 'Accept and begin' }).click()

  for (const page of [therapist, other]) {
    const accepted = page.getByRole('dialog', { name: 'You have accepted' })
    await expect(accepted).toContainText('Robin V. is waiting for you')
    await expect(page.getByText('This request is over')).toHaveCount(0)
    await accepted.getByRole('button', { name: 'Go to the session' }).click()
    await expect(page).toHaveURL(`/session?appointment=${sessionId}`)
    await title(page, 'Your session with Robin V.')
  }
})
