import { afterEach, beforeEach, expect, test } from 'vitest'
import { days, hours, later } from '#server/clock.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  type Client,
  createClient,
  createPractitioner,
  type Practitioner,
  saveCard,
  signInAgain,
  signInPractitioner,
} from '#test/factories.ts'
import { entryIn, sessionMails } from '#test/mails.ts'
import { reserveDate } from '#test/reserved.ts'

const tuesday = new Date('2026-06-16T09:00:00Z')
const thursday = later(tuesday, days(2))
const district = 'Rosewood House, Leeds, LS1'
const full = 'Rosewood House, 12 Park Row, Leeds, LS1 5HD'

let app: TestApp
let client: Client
let practitioner: Practitioner
let id: string

beforeEach(async () => {
  app = await buildTestApp()
  client = await createClient(app)
  practitioner = await createPractitioner(app)
  await app.db.updateTable('accounts').set({ email_verified_at: app.clock.now() }).execute()
  const card = await saveCard(app, client)
  const inPerson = { appointmentType: 'face_to_face', locationId: practitioner.locationId } as const
  id = await reserveDate(app, { client, practitioner, card }, tuesday, inPerson)
})
afterEach(() => app.close())

const unfolded = (text: string) => text.replaceAll('\r\n ', '').replaceAll('\\,', ',')
/** What a person sees of the place: in the file of the session and in their calendar. */
async function inCalendars(token: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` }
  const file = await fetch(`${app.origin}/api/v7/appointment/${id}/calendar-file`, { headers })
  const side = token === client.token ? 'client' : 'therapist'
  const { url } = (await app.call('POST', `/${side}/calendar-feed`, { token, body: {} })).body
  const feed = await fetch(String(url).replace('http://hearth.test', app.origin))
  const texts = [unfolded(await file.text()), unfolded(await feed.text())]
  return texts.map((text) => /^LOCATION:(.*)\r$/m.exec(text)?.[1] ?? 'nowhere')
}
async function mailsTo(email: string) {
  await app.queue.drain()
  return sessionMails(app.mails()).filter(({ to }) => to === email)
}

test('a client reads the district of a session that is not paid, and the address once it is', async () => {
  expect(await inCalendars(client.token)).toEqual([district, district])
  expect(await inCalendars(await signInPractitioner(app, practitioner))).toEqual([full, full])
  app.clock.set(later(tuesday, -hours(48)))
  await app.services.reserved.sweep()
  client = await signInAgain(app, client)
  expect(await inCalendars(client.token)).toEqual([full, full])
  const [mail, ...more] = await mailsTo(client.email)
  expect([mail?.subject, more]).toEqual(['Your session is booked', []])
  expect(mail?.text).toContain(`Where: ${full}`)
})

test('mails about a session that is not paid have the address for the practitioner alone', async () => {
  const moved = await app.call('POST', '/appointment/edit-session', {
    token: client.token,
    body: {
      appointment_id: id,
      type: 'face_to_face',
      location_id: practitioner.locationId,
      appointment_datetime: thursday.toISOString(),
    },
  })
  expect(moved.body).toMatchObject({ status: 'reserved', starts_at: thursday.toISOString() })
  const [mail] = await mailsTo(client.email)
  expect(mail?.text).toContain(`Where: ${district}`)
  expect(mail && entryIn(mail).location).toBe(district)
  expect(mail?.whole).not.toMatch(/Park Row|5HD/)
  expect((await mailsTo(practitioner.email))[0]?.text).toContain(`Where: ${full}`)
  const cancelled = await app.call('POST', '/appointment/cancel-session', {
    token: client.token,
    body: { appointment_id: id },
  })
  expect(cancelled.status).toBe(200)
  for (const { whole } of await mailsTo(client.email)) expect(whole).not.toMatch(/Park Row|5HD/)
})
