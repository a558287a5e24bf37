import type { APIRequestContext, BrowserContext, Page } from '@playwright/test'
import { sql } from 'kysely'
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
  const therapist = await registerTherapist(request, ['Mary Ann', 'Okafor'])
  await server.change(async (db) => {
    await sql`update practitioners set state = 'approved', subscribed_until = now() + interval '30 days',
      years_of_experience = 8, meeting_link = 'https://rooms.example.test/okafor' where id = ${therapist.id}`.execute(
      db,
    )
    await sql`insert into practitioner_issues (practitioner_id, issue_id) values (${therapist.id}, 1)`.execute(
      db,
    )
    await sql`insert into practitioner_provider_types (practitioner_id, provider_type_id) values (${therapist.id}, 1)`.execute(
      db,
    )
  })
  await bookableAllDay(server, request, [therapist], 'Europe/London')
  const [booked] = await bookedClients(request, therapist.id, ['Robin Vale'])
  if (!booked) throw new Error('No session was booked.')
  await server.change(async (db) => {
    await sql`update practitioners set meeting_link = null, room = 'hearth' where id = ${therapist.id}`.execute(
      db,
    )
  })
  await shift(server, { [booked.id]: minutes })
  return { id: booked.id, client: booked.client, therapist }
}

export const roomPath = (id: string) => `/session-room?appointment=${id}`

/** Makes pictures small, so that two browsers can show them on a busy machine, and keeps each connection in sight. */
export async function watchCalls(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const page = globalThis as unknown as PageWithCalls
    page.made = []
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
        page.made.push(connection)
        return connection
      },
    })
  })
}

type Connection = {
  getStats(): Promise<{ values(): Iterable<{ type: string; kind: string; packetsReceived: number }> }>
}

/** The parts of a page's window that are used here. */
type PageWithCalls = {
  /** Every connection that the page has made. */
  made: Connection[]
  navigator: { mediaDevices?: { getUserMedia(constraints: { video?: object }): Promise<unknown> } }
  RTCPeerConnection: new (...given: never[]) => Connection
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

/** Opens the room's page on both sides, signed in. */
export async function openRooms(client: Page, therapist: Page, { id, ...people }: Booked): Promise<void> {
  await signIn(client, people.client)
  await signInTherapist(therapist, people.therapist)
  await Promise.all([client.goto(roomPath(id)), therapist.goto(roomPath(id))])
}

/** Presses the button that joins, once the devices are there. */
export async function join(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Join', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Join', exact: true }).click()
}

/** The picture of the other moves. */
export async function expectPicture(page: Page, name: string): Promise<void> {
  const video = page.getByLabel(`Picture of ${name}`)
  await expect(video).toBeVisible()
  const timeOf = () =>
    video.evaluate((element) => (element as unknown as { currentTime: number }).currentTime)
  const before = await timeOf()
  await expect.poll(timeOf).toBeGreaterThan(before)
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
