import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { later, minutes } from '#server/clock.ts'
import { buildTestApp } from '#test/build-test-app.ts'
import {
  bookSession,
  createAdmin,
  createClient,
  createPractitioner,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { iceOf, type RelaySettings, turnCredentials } from './rooms.relay.ts'

const secret = 'a secret of this test alone'
const closesAt = new Date('2026-06-08T10:20:00.700Z')
const holder = { appointmentId: '01890a5d-ac96-774b-bcce-b302099a8057', accountId: 'client' }

/** Whether coturn, told to `use-auth-secret`, lets a name and a password allocate at an instant. */
function isLetIn(
  known: string,
  { username, credential }: { username: string; credential: string },
  at: Date,
) {
  const [expiry = '', ...rest] = username.split(':')
  const password = createHmac('sha1', known).update(username).digest('base64')
  return rest.length === 1 && Number(expiry) * 1000 > at.getTime() && password === credential
}

test('credentials of the relay are good until the room closes, with the secret of the relay alone', () => {
  const credentials = turnCredentials(secret, holder, closesAt)
  expect(credentials.username).toMatch(/^1780914000:[\w-]{16}$/)
  expect(isLetIn(secret, credentials, later(closesAt, -minutes(80)))).toBe(true)
  expect(isLetIn(secret, credentials, later(closesAt, -1000))).toBe(true)
  expect(isLetIn(secret, credentials, closesAt)).toBe(false)
  expect(isLetIn('another secret', credentials, later(closesAt, -minutes(80)))).toBe(false)
  const longer = { ...credentials, username: credentials.username.replace('1780914000', '1980914000') }
  expect(isLetIn(secret, longer, later(closesAt, -minutes(80)))).toBe(false)
})

test('a page that polls keeps its credentials, and no two people or sessions share or reveal them', () => {
  const credentials = turnCredentials(secret, holder, closesAt)
  expect(turnCredentials(secret, holder, closesAt)).toEqual(credentials)
  const others = [
    turnCredentials(secret, { ...holder, accountId: 'practitioner' }, closesAt),
    turnCredentials(secret, { ...holder, appointmentId: '01890a5d-ac96-774b-bcce-b302099a8058' }, closesAt),
    turnCredentials('another secret', holder, closesAt),
  ]
  for (const other of others) expect(other.username).not.toBe(credentials.username)
  for (const part of [holder.accountId, holder.appointmentId, secret]) {
    expect(JSON.stringify(credentials)).not.toContain(part)
  }
})

const turn = { urls: ['turn:relay.example.test:3478'], secret }
test.each<[string, RelaySettings, { has_relay: boolean; relay_only: boolean; may_go_direct: boolean }]>([
  ['no relay', { stunUrls: [], relay: 'auto' }, { has_relay: false, relay_only: false, may_go_direct: true }],
  [
    'a relay, which the client may do without',
    { turn, stunUrls: [], relay: 'auto' },
    { has_relay: true, relay_only: true, may_go_direct: true },
  ],
  [
    'a relay that is always used',
    { turn, stunUrls: [], relay: 'always' },
    { has_relay: true, relay_only: true, may_go_direct: false },
  ],
  [
    'a relay as a fallback',
    { turn, stunUrls: [], relay: 'never' },
    { has_relay: true, relay_only: false, may_go_direct: true },
  ],
])('a browser is told of %s', (_what, settings, told) => {
  const ice = iceOf(settings, holder, closesAt)
  expect(ice).toMatchObject({ ...told, expires_at: settings.turn ? closesAt.toISOString() : null })
  expect(ice.servers.map(({ urls }) => urls)).toEqual(settings.turn ? [turn.urls] : [])
})

test('a server that tells a browser its address is asked only where one is configured', () => {
  const stunUrls = ['stun:stun.example.test:3478']
  expect(iceOf({ stunUrls, relay: 'auto' }, holder, closesAt).servers).toEqual([{ urls: stunUrls }])
})

test('credentials are issued while the room is open to the caller, and never after a suspension', async () => {
  const app = await buildTestApp({ relay: { turn, stunUrls: [], relay: 'auto' } })
  let client = await createClient(app)
  const practitioner = await createPractitioner(app)
  await app.db.updateTable('practitioners').set({ room: 'hearth' }).execute()
  const start = new Date('2026-06-08T09:00:00Z')
  const id = await bookSession(app, { practitioner, client, startsAt: start.toISOString() })
  let therapist = ''
  const goTo = async (instant: Date) => {
    app.clock.set(instant)
    client = await signInAgain(app, client)
    therapist = await signInPractitioner(app, practitioner)
  }
  const read = async (token: string) => app.call('GET', `/appointment/${id}/room`, { token })
  const iceOfBoth = async () =>
    Promise.all([client.token, therapist].map(async (token) => (await read(token)).body.ice))

  await goTo(later(start, -minutes(15) - 1))
  expect(await iceOfBoth()).toEqual([null, null])
  app.clock.advance(1)
  const both = (await iceOfBoth()) as unknown as { servers: { username: string; credential: string }[] }[]
  const [ofClient, ofPractitioner] = both.map(({ servers }) => servers[0])
  const closing = new Date('2026-06-08T10:20:00Z')
  for (const each of [ofClient, ofPractitioner]) {
    expect(each && isLetIn(secret, each, later(closing, -1))).toBe(true)
    expect(each && isLetIn(secret, each, closing)).toBe(false)
  }
  expect(ofClient?.username).not.toBe(ofPractitioner?.username)
  const stranger = await read((await createClient(app)).token)
  expect([stranger.status, stranger.body.ice]).toEqual([404, undefined])

  await goTo(later(start, minutes(80)))
  expect(await iceOfBoth()).toEqual([null, null])
  await goTo(start)
  const suspended = await app.call('POST', `/admin/practitioners/${practitioner.id}/suspend`, {
    token: (await createAdmin(app)).token,
    body: { reason: 'A complaint.', cause: 'conduct', sessions: 'freeze' },
  })
  expect(suspended.status).toBe(200)
  expect((await read(client.token)).body.ice).toBe(null)
  const refused = await read(therapist)
  expect([refused.status, refused.body.ice]).toEqual([403, undefined])
  await app.close()
})
