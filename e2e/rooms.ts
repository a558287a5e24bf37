import type { APIRequestContext, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { sql } from 'kysely'
import { walking } from './axe.ts'
import { expect } from './fixtures.ts'
import { bookableAllDay } from './help.ts'
import type { OwnServer } from './own-server.ts'
import { bookedClients, shift } from './past.ts'
import { type Account, signIn } from './people.ts'
import { registerTherapist, signInTherapist, type Therapist } from './therapists.ts'

/** For `test.use`: a camera and a microphone that are made up, and sound without a press. */
export const fakeDevices = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
]

export type Booked = { id: string; client: Account; therapist: Therapist }

/** A practitioner whose sessions are held here, and a session of theirs that begins so many minutes from now. */
export async function sessionHeldHere(
  server: OwnServer,
  request: APIRequestContext,
  minutes: number,
): Promise<Booked> {
  const [booked] = await sessionsHeldHere(server, request, ['Robin Vale'])
  if (!booked) throw new Error('No session was booked.')
  await shift(server, { [booked.id]: minutes })
  return booked
}

/** A practitioner whose sessions are held here, and a session of theirs for each client, days from now. */
export async function sessionsHeldHere(
  server: OwnServer,
  request: APIRequestContext,
  clients: readonly string[],
): Promise<Booked[]> {
  const therapist = await registerTherapist(request, ['Mary Ann', 'Okafor'])
  await server.change(async (db) => {
    await sql`update practitioners set state = 'approved', subscribed_until = now() + interval '30 days',
      years_of_experience = 8, room = 'own', meeting_link = 'https://rooms.example.test/okafor'
      where id = ${therapist.id}`.execute(db)
    await sql`insert into practitioner_issues (practitioner_id, issue_id) values (${therapist.id}, 1)`.execute(
      db,
    )
    await sql`insert into practitioner_provider_types (practitioner_id, provider_type_id) values (${therapist.id}, 1)`.execute(
      db,
    )
  })
  await bookableAllDay(server, request, [therapist], 'Europe/London')
  const booked = await bookedClients(request, therapist.id, clients)
  await server.change(async (db) => {
    await sql`update practitioners set meeting_link = null, room = 'hearth' where id = ${therapist.id}`.execute(
      db,
    )
  })
  return booked.map(({ id, client }) => ({ id, client, therapist }))
}

export const roomPath = (id: string) => `/session-room?appointment=${id}`

export type OpenContext = (options: BrowserContextOptions) => Promise<BrowserContext>

/** A page of each side, in the narrow look. */
export async function openTwo(openContext: OpenContext, baseURL: string): Promise<[Page, Page]> {
  return [await openOne(openContext, baseURL), await openOne(openContext, baseURL)]
}

export async function openOne(openContext: OpenContext, baseURL: string): Promise<Page> {
  const context = await openContext({ ...walking, baseURL })
  await watchCalls(context)
  return context.newPage()
}

/** Makes pictures small, so that two browsers can show them on a busy machine, and keeps each connection in sight. */
async function watchCalls(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const page = globalThis as unknown as PageWithCalls
    page.made = []
    page.announced = []
    page.removed = []
    const { mediaDevices } = page.navigator
    const ask = mediaDevices?.getUserMedia.bind(mediaDevices)
    if (mediaDevices && ask) {
      mediaDevices.getUserMedia = (constraints) => {
        const small = { width: 320, height: 240, frameRate: 10 }
        return ask({
          ...constraints,
          ...(constraints.video && { video: { ...constraints.video, ...small } }),
        })
      }
    }
    page.RTCPeerConnection = new Proxy(page.RTCPeerConnection, {
      construct(target, given) {
        const connection = Reflect.construct(target, given) as Connection
        connection.addEventListener('track', ({ track }) => {
          // The first packet of a track unmutes it.
          track.addEventListener('unmute', () => {
            connection.mediaAt = Date.now()
          })
        })
        page.made.push(connection)
        return connection
      },
    })
    new page.MutationObserver((changes) => {
      for (const { target, addedNodes, removedNodes } of changes) {
        for (const each of removedNodes) page.removed.push(...(each.querySelectorAll?.('video') ?? []))
        if (target.role !== 'log') continue
        page.announced.push(...[...addedNodes].map(({ textContent }) => textContent))
      }
    }).observe(page.document, { childList: true, subtree: true })
  })
}

type Statistic = {
  type: string
  id: string
  kind: string
  packetsReceived: number
  totalAudioEnergy?: number
  candidateType: string
  localCandidateId: string
  selectedCandidatePairId?: string
}

type Connection = {
  getConfiguration(): { iceServers: { urls: string | string[] }[]; iceTransportPolicy?: string }
  getStats(): Promise<Map<string, Statistic>>
  restartIce(): void
  connectionState: string
  signalingState: string
  localDescription: { sdp: string } | null
  currentRemoteDescription: { sdp: string } | null
  addEventListener(type: 'track', listener: (event: { track: Track }) => void): void
  /** When a track of the other side last began, in epoch milliseconds. */
  mediaAt?: number
}
type Track = { addEventListener(type: 'unmute', listener: () => void): void }

/** The parts of a page's window that are used here. */
type PageWithCalls = {
  /** Every connection that the page has made. */
  made: Connection[]
  /** What screen readers were told. */
  announced: string[]
  /** The videos of screens that are gone. */
  removed: { srcObject: object | null }[]
  document: object
  navigator: { mediaDevices?: { getUserMedia(constraints: { video?: object }): Promise<unknown> } }
  RTCPeerConnection: new (...given: never[]) => Connection
  MutationObserver: new (
    listener: (changes: Change[]) => void,
  ) => {
    observe(target: object, options: { childList: true; subtree: true }): void
  }
}
type Change = {
  target: { role?: string | null }
  addedNodes: Iterable<{ textContent: string }>
  removedNodes: Iterable<{ querySelectorAll?(selector: 'video'): Iterable<PageWithCalls['removed'][number]> }>
}

/** How often a page has told screen readers so. */
export async function timesAnnounced(page: Page, text: string): Promise<number> {
  const announced = await page.evaluate(() => (globalThis as unknown as PageWithCalls).announced)
  return announced.filter((each) => each === text).length
}

export type Seen = { connections: number; packets: number; kinds: string[] }

/** What a page's connections have received so far. */
export function seenBy(page: Page): Promise<Seen> {
  return page.evaluate(async () => {
    const { made } = globalThis as unknown as PageWithCalls
    const seen = { connections: made.length, packets: 0, kinds: [] as string[] }
    for (const connection of made) {
      for (const each of (await connection.getStats()).values()) {
        if (each.type !== 'inbound-rtp' || each.packetsReceived === 0) continue
        seen.packets += each.packetsReceived
        seen.kinds.push(each.kind)
      }
    }
    return seen
  })
}

/** The servers that a page's connections were told to ask. */
export function serversOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    (globalThis as unknown as PageWithCalls).made.flatMap((connection) =>
      connection.getConfiguration().iceServers.flatMap(({ urls }) => urls),
    ),
  )
}

/** Opens the room's page on both sides, signed in. */
export async function openRooms(client: Page, therapist: Page, { id, ...people }: Booked): Promise<void> {
  await signIn(client, people.client)
  await signInTherapist(therapist, people.therapist)
  await Promise.all([client.goto(roomPath(id)), therapist.goto(roomPath(id))])
}

/** Presses the button that joins, once the devices are there. A busy machine may need long for two pages and their devices. */
export async function join(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Join', exact: true })).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Join', exact: true }).click()
}

/** The picture of the other moves. A busy machine may need long for its first frame. */
export async function expectPicture(page: Page, name: string): Promise<void> {
  const video = page.getByLabel(`Picture of ${name}`)
  await expect(video).toBeVisible({ timeout: 60_000 })
  const timeOf = () =>
    video.evaluate((element) => (element as unknown as { currentTime: number }).currentTime)
  const before = await timeOf()
  await expect.poll(timeOf, { timeout: 60_000 }).toBeGreaterThan(before)
}

/** The voice of the other is played from now on: the browser counts its loudness only then. */
export async function expectVoice(page: Page): Promise<void> {
  const loudness = () =>
    page.evaluate(async () => {
      const connection = (globalThis as unknown as PageWithCalls).made.at(-1)
      const received = [...((await connection?.getStats())?.values() ?? [])]
      return received.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'audio')?.totalAudioEnergy
    })
  const before = (await loudness()) ?? 0
  await expect.poll(loudness, { timeout: 60_000 }).toBeGreaterThan(before)
}

/** The streams to which the tracks of the other belong, one for each track. */
export function streamsTo(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { made } = globalThis as unknown as PageWithCalls
    const sdp = made.at(-1)?.currentRemoteDescription?.sdp ?? ''
    return [...sdp.matchAll(/^a=msid:(\S+)/gm)].map(([, stream]) => stream ?? '')
  })
}

/** How many videos of screens that are gone still take frames. */
export function videosKept(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      (globalThis as unknown as PageWithCalls).removed.filter(({ srcObject }) => srcObject !== null).length,
  )
}

/** The newest connection of a page. */
export type Newest = {
  /** Counts the connections that the page has made. */
  number: number
  state: string
  signaling: string
  /** Of its own side. Another one after each restart of ICE. */
  ufrag: string
  audio: number
  video: number
  mediaAt: number
  /** How the path in use leaves this device: `host`, `prflx` or `relay`. */
  path: string
}

export function newestOf(page: Page): Promise<Newest> {
  return page.evaluate(async () => {
    const { made } = globalThis as unknown as PageWithCalls
    const connection = made.at(-1)
    const received = { audio: 0, video: 0 }
    let path = ''
    const report = await connection?.getStats()
    for (const each of report?.values() ?? []) {
      if (each.type === 'inbound-rtp') received[each.kind as 'audio' | 'video'] += each.packetsReceived
      if (each.type === 'transport') {
        const pair = report?.get(each.selectedCandidatePairId ?? '')
        path = report?.get(pair?.localCandidateId ?? '')?.candidateType ?? ''
        // An address learnt from the other side is the relay's where nothing else may be used.
        if (path === 'prflx' && connection?.getConfiguration().iceTransportPolicy === 'relay') path = 'relay'
      }
    }
    return {
      number: made.length,
      state: connection?.connectionState ?? 'none',
      signaling: connection?.signalingState ?? 'none',
      ufrag: /a=ice-ufrag:(\S+)/.exec(connection?.localDescription?.sdp ?? '')?.[1] ?? '',
      ...received,
      mediaAt: connection?.mediaAt ?? 0,
      path,
    }
  })
}

/** Sound and pictures arrive at a page from now on. Returns the newest connection. */
export async function expectMedia(
  page: Page,
  kinds: readonly ('audio' | 'video')[] = ['audio', 'video'],
  /** Whose camera is turned on again where the product has turned it off: a busy machine passes for a weak network. */
  sender?: Page,
) {
  const before = await newestOf(page)
  let now = before
  await expect
    .poll(
      async () => {
        const again = sender?.getByRole('button', { name: 'Turn camera back on' })
        if (await again?.isVisible()) await again?.click()
        now = await newestOf(page)
        return kinds.every((kind) => now[kind] > (now.number === before.number ? before[kind] : 0))
      },
      { intervals: [100], timeout: 60_000, message: `${kinds.join(' and ')} arrive` },
    )
    .toBe(true)
  return now
}

/** Restarts ICE on pages, on all of them at once. Each has other credentials afterwards, and agrees with the other. */
export async function restartIce(on: readonly Page[], both: readonly Page[]): Promise<void> {
  const before = await Promise.all(both.map(newestOf))
  await askForRestart(on)
  await expectRestarted(both, before)
}

export async function askForRestart(on: readonly Page[]): Promise<void> {
  await Promise.all(
    on.map((page) => page.evaluate(() => (globalThis as unknown as PageWithCalls).made.at(-1)?.restartIce())),
  )
}

export async function expectRestarted(pages: readonly Page[], before: readonly Newest[]): Promise<void> {
  for (const [index, page] of pages.entries()) {
    await expect
      .poll(
        async () => {
          const { number, ufrag, state, signaling } = await newestOf(page)
          return { number, state, signaling, isAnother: ufrag !== before[index]?.ufrag }
        },
        { intervals: [100], timeout: 60_000 },
      )
      .toEqual({ number: before[index]?.number, state: 'connected', signaling: 'stable', isAnother: true })
  }
}

/** The kinds of signals that a page sends over its socket, as it sends them. */
export function signalsSentBy(page: Page): string[] {
  const sent: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const kind = /^42\d*\["signal",.*"kind":"(\w+)","n":/.exec(String(payload))?.[1]
      if (kind) sent.push(kind)
    }),
  )
  return sent
}

/** The least value that 95 of 100 do not exceed. */
export function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0
}

/** The four words that a page shows. */
export async function wordsOf(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Words' }).click()
  const words = page.getByRole('list', { name: 'Your four words' }).getByRole('listitem')
  await expect(words).toHaveCount(4)
  const texts = await words.allTextContents()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  return texts
}
