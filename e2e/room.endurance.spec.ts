import type { CDPSession, Page } from '@playwright/test'
import { claimPort } from '#test/claimed-port.ts'
import { expect } from './fixtures.ts'
import { test } from './own-server.ts'
import { expectPicture, fakeDevices, join, openRooms, openTwo, seenBy, sessionHeldHere } from './rooms.ts'

/** Of the call. Memory at its end is compared with memory at minute five, or a sixth of a shorter call. */
const minutes = Number(process.env.CALL_MINUTES ?? 30)
const first = Math.min(5, minutes / 6)

let inspector = 0
test.use({
  seed: 'reference',
  chromiumArguments: fakeDevices,
  environment: async ({ seed: _seed }, use) => {
    const { port, release } = await claimPort()
    inspector = port
    await use(async () => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` }))
    await release()
  },
})

type Heaps = { server: number; client: number; practitioner: number }

test(`after ${minutes} minutes of a call, the heaps of the server and of both pages are what they were`, async ({
  server,
  request,
  openContext,
  allowComplaint,
}) => {
  // Access tokens expire meanwhile, and are renewed.
  allowComplaint(/status of 401 .*\/room\/seat\)$/)
  test.setTimeout(minutes * 60_000 + 600_000)
  const booked = await sessionHeldHere(server, request, 1)
  const [page, theirs] = await openTwo(openContext, server.url)
  await openRooms(page, theirs, booked)
  await join(page)
  await join(theirs)
  await theirs.getByRole('button', { name: 'Let in' }).click()
  await expectPicture(page, 'Mary Ann Okafor')
  const begun = Date.now()
  const devtools = {
    client: await page.context().newCDPSession(page),
    practitioner: await theirs.context().newCDPSession(theirs),
  }
  const measure = async (): Promise<Heaps> => ({
    server: await heapOfServer(inspector),
    client: await heapOfPage(devtools.client),
    practitioner: await heapOfPage(devtools.practitioner),
  })

  const until = (minute: number) => page.waitForTimeout(Math.max(0, begun + minute * 60_000 - Date.now()))
  await until(first)
  const early = await measure()
  print(first, early)
  for (let minute = Math.ceil(first) + 1; minute <= minutes; minute++) {
    await until(minute)
    // What a person does now and then.
    await pressTwice(page, 'Mute', 'Unmute')
    await pressTwice(theirs, 'Camera off', 'Camera on')
    if (minute % 5 === 0 && minute < minutes) print(minute, await measure())
  }
  await until(minutes)
  const end = await measure()
  print(minutes, end)
  const before = await Promise.all([page, theirs].map(seenBy))
  await expectPicture(page, 'Mary Ann Okafor')
  for (const [index, each] of [page, theirs].entries()) {
    const { connections, packets } = await seenBy(each)
    expect(connections).toBe(before[index]?.connections)
    expect(packets).toBeGreaterThan(before[index]?.packets ?? 0)
  }
  for (const name of ['server', 'client', 'practitioner'] as const) {
    expect(end[name], `heap of the ${name}`).toBeLessThan(early[name] * 1.2)
  }
})

async function pressTwice(page: Page, name: string, back: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('button', { name: back, exact: true }).click()
}

function print(minute: number, heaps: Heaps): void {
  const words = Object.entries(heaps).map(([name, bytes]) => `${name} ${(bytes / 2 ** 20).toFixed(1)} MB`)
  process.stdout.write(`Heaps after ${minute} minutes of a call: ${words.join(', ')}.\n`)
}

async function heapOfPage(devtools: CDPSession): Promise<number> {
  for (let time = 0; time < 3; time++) await devtools.send('HeapProfiler.collectGarbage')
  return (await devtools.send('Runtime.getHeapUsage')).usedSize
}

/** Over the server's inspector, as a page's over its own. */
async function heapOfServer(port: number): Promise<number> {
  const list = await fetch(`http://127.0.0.1:${port}/json/list`)
  const [target] = (await list.json()) as { webSocketDebuggerUrl: string }[]
  if (!target) throw new Error('The server has no inspector.')
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  let id = 0
  const send = (method: string) => {
    const answered = new Promise<{ result: { usedSize: number } }>((resolve) =>
      socket.addEventListener('message', ({ data }) => resolve(JSON.parse(String(data))), { once: true }),
    )
    socket.send(JSON.stringify({ id: ++id, method }))
    return answered
  }
  for (let time = 0; time < 3; time++) await send('HeapProfiler.collectGarbage')
  const { result } = await send('Runtime.getHeapUsage')
  socket.close()
  return result.usedSize
}
