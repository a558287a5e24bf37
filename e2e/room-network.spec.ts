import type { Page } from '@playwright/test'
import { startRedis, type PrivateRedis } from '#test/private-redis.ts'
import { type CuttingProxy, startCuttingProxy } from '#test/cutting-proxy.ts'
import { looker } from './axe.ts'
import { expect } from './fixtures.ts'
import { lyingServer } from './lying-server.ts'
import { test as journey } from './own-server.ts'
import { test as relayed } from './relay.ts'
import {
  askForRestart,
  expectMedia,
  expectPicture,
  expectRestarted,
  fakeDevices,
  join,
  newestOf,
  openRooms,
  openTwo,
  p95,
  restartIce,
  sessionHeldHere,
  signalsSentBy,
  timesAnnounced,
  videosKept,
  wordsOf,
} from './rooms.ts'

const joined = journey.extend<{ redis: PrivateRedis }>({
  redis: async ({ seed: _seed }, use) => {
    const redis = await startRedis()
    await use(redis)
    await redis.stop()
  },
  environment: async ({ redis }, use) => use(async () => ({ REDIS_URL: redis.url })),
})
const cut = relayed.extend<{ line: CuttingProxy }>({
  line: async ({ server }, use) => {
    const line = await startCuttingProxy()
    line.leadTo(server.url)
    await use(line)
    await line.close()
  },
  baseURL: async ({ line }, use) => use(line.origin),
})
for (const test of [joined, cut, journey]) test.use({ seed: 'reference', chromiumArguments: fakeDevices })

const connections = 12
const unreachable = /ERR_(CONNECTION_(REFUSED|RESET)|INTERNET_DISCONNECTED|FAILED)|WebSocket|Failed to fetch/

joined(
  'a call outlives reloads, Redis, its server and a device that is offline, and both sides may restart ICE at once',
  async ({ server, redis, request, openContext, allowComplaint }) => {
    joined.setTimeout(420_000)
    allowComplaint(unreachable)
    const booked = await sessionHeldHere(server, request, 2)
    const [page, theirs] = await openTwo(openContext, server.url)
    const both = [page, theirs]
    const sent = both.map(signalsSentBy)
    await openRooms(page, theirs, booked)
    await Promise.all([join(page), join(theirs)])
    await expect(theirs.getByRole('heading', { level: 1, name: /^Robin.* is waiting$/ })).toBeVisible()
    expect(sent).toEqual([[], []])

    const connected: number[] = []
    for (let count = 0; count < connections; count++) {
      if (count > 0) await backToWaiting(page, theirs)
      const begun = Date.now()
      await theirs.getByRole('button', { name: 'Let in' }).click()
      const media = await Promise.all(both.map((each) => expectMedia(each)))
      connected.push(Math.max(...media.map(({ mediaAt }) => mediaAt)) - begun)
    }
    expect(await Promise.all(both.map(videosKept))).toEqual([0, 0])
    for (const kinds of sent)
      expect(kinds).toEqual(expect.arrayContaining(['description', 'candidate', 'reveal']))

    const reloaded: number[] = []
    for (const each of [page, theirs, page, theirs]) {
      const begun = Date.now()
      await each.reload()
      const media = await Promise.all(both.map((side) => expectMedia(side)))
      reloaded.push(Math.max(...media.map(({ mediaAt }) => mediaAt)) - begun)
    }

    // A microphone that gives nothing at all is taken again, and one that the phone takes away is too.
    await quietMicrophoneAtFirst(page)
    await page.reload()
    await expect.poll(() => microphonesTaken(page), { timeout: 30_000 }).toBe(2)
    await loseMicrophone(page)
    await expect.poll(() => microphonesTaken(page)).toBe(3)

    for (const each of both) await expectMedia(each)
    const announced = () => Promise.all(both.map((each) => timesAnnounced(each, 'Reconnecting…')))
    const announcedBefore = await announced()
    await restartIce(both, both)
    await expectPicture(page, 'Mary Ann Okafor')
    await expectPicture(theirs, 'Robin')
    await redis.stop()
    await restartIce([page], both)
    await redis.start()

    const before = await Promise.all(both.map(newestOf))
    await server.kill()
    for (const each of both) await expectMedia(each)
    await askForRestart([page])
    await server.start()
    const started = Date.now()
    await expectRestarted(both, before)
    const restarted = Date.now() - started

    const beforeOffline = await Promise.all(both.map(newestOf))
    await page.context().setOffline(true)
    await expectMedia(theirs)
    await page.context().setOffline(false)
    const online = Date.now()
    await expectRestarted(both, beforeOffline)
    const back = Date.now() - online
    for (const each of both) await expectMedia(each)
    expect(await announced()).toEqual(announcedBefore)
    expect(await wordsOf(page)).toEqual(await wordsOf(theirs))
    process.stdout.write(
      `Connected within ${p95(connected)} ms (p95 of ${connections}: ${connected.join(', ')}); after a reload ${p95(reloaded)} ms (${reloaded.join(', ')}); ICE restarted ${restarted} ms after the server was up and ${back} ms after the device was online.\n`,
    )
  },
)

cut(
  'a client connects directly by choice, and behind the relay a call survives cuts and a weak network',
  async ({ server, relay, line, request, openContext, allowComplaint }) => {
    cut.setTimeout(420_000)
    allowComplaint(unreachable)
    const booked = await sessionHeldHere(server, request, 2)
    const [page, theirs] = await openTwo(openContext, line.origin)
    const both = [page, theirs]
    const media = (each: Page) => expectMedia(each, undefined, each === page ? theirs : page)
    relay.knowsServer(false)
    await openRooms(page, theirs, booked)
    await page.getByRole('checkbox', { name: 'Connect directly' }).check()
    await looker(page, []).look('the device check with a direct connection')
    await Promise.all([join(page), join(theirs)])
    await theirs.getByRole('button', { name: 'Let in' }).click()
    for (const each of both) expect(['host', 'prflx']).toContain((await media(each)).path)

    relay.knowsServer(true)
    await page.reload()
    await expect.poll(async () => (await newestOf(page)).state).toBe('connected')
    for (const each of both) expect((await media(each)).path).toBe('relay')
    const { number: relayed } = await newestOf(theirs)
    await page.getByRole('button', { name: 'Trouble?' }).click()
    await looker(page, []).look('where it may help to connect directly')
    await page.getByRole('button', { name: 'Connect directly' }).click()
    await expect.poll(async () => (await newestOf(theirs)).number).toBeGreaterThan(relayed)
    for (const each of both) expect(['host', 'prflx']).toContain((await media(each)).path)
    await page.getByRole('button', { name: 'Trouble?' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Connect directly' })).toHaveCount(0)
    await page.reload()
    await expect.poll(async () => (await newestOf(page)).state).toBe('connected')
    for (const each of both) expect((await media(each)).path).toBe('relay')

    const announced = () => Promise.all(both.map((each) => timesAnnounced(each, 'Reconnecting…')))
    // Sound arrives before the page knows that it is connected, and a cut until then is still the same one to it.
    const expectConnected = () =>
      Promise.all(both.map((each) => expect(each.getByText('Reconnecting…')).toHaveCount(0)))
    await expectConnected()
    const announcedBefore = await announced()
    const times: number[] = []
    for (const length of ['short', 'long']) {
      const before = await Promise.all(both.map(newestOf))
      line.silence()
      relay.lose(1)
      for (const each of both) {
        await expect(each.getByText('Reconnecting…').first()).toBeVisible({ timeout: 30_000 })
      }
      if (length === 'long') {
        for (const [index, each] of both.entries()) {
          await expect
            .poll(async () => (await newestOf(each)).number, { timeout: 40_000 })
            .toBeGreaterThan(before[index]?.number ?? 0)
        }
      }
      line.speak()
      relay.lose(0)
      const restored = Date.now()
      await Promise.all(both.map(media))
      times.push(Date.now() - restored)
      await expectConnected()
    }
    for (const each of both) expect((await newestOf(each)).path).toBe('relay')
    expect(await announced()).toEqual(announcedBefore.map((count) => count + 2))
    expect(await wordsOf(page)).toEqual(await wordsOf(theirs))

    relay.lose(0.2)
    await expect(
      page.getByRole('main').getByText('Your connection is weak. Your voice goes on.'),
    ).toBeVisible({
      timeout: 60_000,
    })
    await expect(page.getByRole('button', { name: 'Camera on' })).toBeVisible()
    await expect(theirs.getByText(/’s camera is off$/)).toBeVisible()
    await expectMedia(theirs, ['audio'])
    relay.lose(0)
    await page.getByRole('button', { name: 'Turn camera back on' }).click()
    await expect(
      page.getByRole('main').getByText('Your connection is weak. Your voice goes on.'),
    ).toBeHidden()
    await expectPicture(theirs, 'Robin')
    process.stdout.write(`Back ${times.join(' and ')} ms after a cut of the network.\n`)
  },
)

journey(
  'a server that sits between the two is found out by the words, and one that alters a reveal ends the call',
  async ({ server, request, openContext }) => {
    journey.setTimeout(240_000)
    const booked = await sessionHeldHere(server, request, 2)
    const [page, theirs] = await openTwo(openContext, server.url)
    const middle = await (await openContext()).newPage()
    const lying = await lyingServer({ client: page, practitioner: theirs }, middle)
    lying.treats('alters the reveal')
    await openRooms(page, theirs, booked)
    await Promise.all([join(page), join(theirs)])
    await theirs.getByRole('button', { name: 'Let in' }).click()
    for (const each of [page, theirs]) {
      const ended = each.getByRole('alert').filter({ hasText: /^We have ended this connection/ })
      await expect(ended).toBeVisible({ timeout: 30_000 })
      await expect(each.getByRole('button', { name: 'Move your picture to another corner' })).toBeHidden()
      await expect.poll(async () => (await newestOf(each)).state).toBe('closed')
    }
    await looker(page, []).look('a connection that was ended')

    lying.treats('sits in between')
    for (const each of [page, theirs])
      await each.getByRole('button', { name: 'Reload the page to try again' }).click()
    await expectPicture(page, 'Mary Ann Okafor')
    await expectPicture(theirs, 'Robin')
    const [words, theirWords] = [await wordsOf(page), await wordsOf(theirs)]
    expect(words).not.toEqual(theirWords)
  },
)

async function backToWaiting(page: Page, theirs: Page): Promise<void> {
  await theirs.getByRole('button', { name: 'Leave' }).click()
  await theirs.getByRole('button', { name: 'Back to waiting' }).click()
  await expect(
    page.getByRole('heading', { level: 1, name: 'You are back in the waiting room' }),
  ).toBeVisible()
}

type PageWithMicrophones = { microphones: EventTarget[] }

/** The first microphone that a page takes gives no sound at all, as on some phones after a call. */
async function quietMicrophoneAtFirst(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.microphones = []
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await ask(constraints)
      const [track] = stream.getAudioTracks()
      if (!track) return stream
      const silent = new AudioContext().createMediaStreamDestination().stream.getAudioTracks()[0]
      const given = microphones.length === 0 ? silent : track
      microphones.push(given)
      return new MediaStream([given, ...stream.getVideoTracks()])
    }`)
}

const microphonesTaken = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as PageWithMicrophones).microphones.length)

/** The microphone goes quiet as when a phone gives it to a call. */
async function loseMicrophone(page: Page): Promise<void> {
  await page.evaluate(() => {
    const track = (globalThis as unknown as PageWithMicrophones).microphones.at(-1)
    if (!track) return
    Object.defineProperty(track, 'muted', { value: true })
    track.dispatchEvent(new Event('mute'))
  })
}
