import type { AppointmentType } from '#contract/common.ts'
import { type NotNull, sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { inTransaction } from '#server/db/transaction.ts'
import { systemRandom } from '#server/ids.ts'
import { hashPassword } from '#server/modules/accounts/passwords.ts'
import { cheapCost, type TestApp } from './build-test-app.ts'

/** Where calls go: a test's own product, or another process. */
type Calls = Pick<TestApp, 'call'>

let serial = 0
const next = () => ++serial

export const password = 'correct horse battery'

export type Client = { token: string; refreshToken: string; email: string; id: string; referralCode: string }

/** Registers a client through the front door. */
export async function createClient(test: TestApp, body: Record<string, unknown> = {}): Promise<Client> {
  const email = `client${next()}@example.test`
  const sent = { name: 'Alex Morgan', email, password, is_adult: true, accept_terms: true, ...body }
  const answer = await test.call('POST', '/client/register', { body: sent })
  if (answer.status !== 201)
    throw new Error(`register answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  const account = await test.db
    .selectFrom('accounts')
    .innerJoin('clients', 'clients.account_id', 'accounts.id')
    .select(['id', 'referral_code'])
    .where('email', '=', String(sent.email).toLowerCase())
    .where('role', '=', 'client')
    .$narrowType<{ referral_code: NotNull }>()
    .executeTakeFirstOrThrow()
  return {
    token: String(answer.body.token),
    refreshToken: String(answer.body.refresh_token),
    email: String(sent.email),
    id: account.id,
    referralCode: account.referral_code,
  }
}

/** The client with a new sign-in, for after the clock has been moved. */
export async function signInAgain(test: TestApp, client: Client): Promise<Client> {
  const answer = await test.call('POST', '/client/login', { body: { email: client.email, password } })
  if (answer.status !== 200) throw new Error(`login answered ${answer.status}`)
  return { ...client, token: String(answer.body.token), refreshToken: String(answer.body.refresh_token) }
}

export type ChatUser = { token: string; id: string }

/** Signs in to the chat, as the holder of a sign-in does: a token of the chat, and their id in it. */
export async function signInToChat(test: Calls, token: string): Promise<ChatUser> {
  const asClient = await test.call('GET', '/client/profile/show', { token })
  const { body } =
    asClient.status === 200 ? asClient : await test.call('GET', '/therapist/profile/show', { token })
  const session = await test.call('POST', '/chat/session', {
    body: { cc_username: body.cc_username, cc_password: body.cc_password },
  })
  if (session.status !== 201) throw new Error(`chat/session answered ${session.status}`)
  return { token: String(session.body.token), id: String(body.cc_id) }
}

/** A client and a practitioner with a dialog, nothing written yet. */
export async function openChat(
  test: TestApp,
): Promise<{ client: ChatUser; therapist: ChatUser; dialog: string }> {
  const practitioner = await createPractitioner(test)
  const client = await signInToChat(test, (await createClient(test)).token)
  const therapist = await signInToChat(test, await signInPractitioner(test, practitioner))
  const opened = await test.call('POST', '/chat/dialogs', {
    token: client.token,
    body: { practitioner_id: practitioner.id },
  })
  return { client, therapist, dialog: String(opened.body._id) }
}

/** Has one of the two block the other in their chat. Returns what undoes it. */
export async function blockInChat(
  test: TestApp,
  { client, practitioner, by }: { client: Client; practitioner: Practitioner; by: 'client' | 'practitioner' },
): Promise<() => Promise<unknown>> {
  const own = await signInToChat(test, client.token)
  const opened = await test.call('POST', '/chat/dialogs', {
    token: own.token,
    body: { practitioner_id: practitioner.id },
  })
  const { token } =
    by === 'client' ? own : await signInToChat(test, await signInPractitioner(test, practitioner))
  const change = (what: 'block' | 'unblock') =>
    test.call('POST', `/chat/dialogs/${String(opened.body._id)}/${what}`, { token })
  const blocked = await change('block')
  if (blocked.status !== 200) throw new Error(`block answered ${blocked.status}`)
  return () => change('unblock')
}

/** The test cards of the sandbox gateway. */
export const cards = {
  succeeds: '4242424242424242',
  alsoSucceeds: '5555555555554444',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  expired: '4000000000000069',
  wrongCode: '4000000000000127',
  authentication: '4000002500003155',
} as const

/** Saves a card over HTTP. Returns its `customer_id`. */
export async function saveCard(
  test: Calls,
  client: Pick<Client, 'token'>,
  number: string = cards.succeeds,
): Promise<string> {
  const answer = await test.call('POST', '/payment/sandbox/add-new-card', {
    token: client.token,
    body: { card_number: number, expiry_month: 12, expiry_year: 2034, cvv_number: '123' },
  })
  if (answer.status !== 201) throw new Error(`add-new-card answered ${answer.status}`)
  return String(answer.body.customer_id)
}

/** Saves the card that a practitioner pays the platform with. Returns its `payment_method_id`. */
export async function saveTherapistCard(
  test: TestApp,
  token: string,
  number: string = cards.succeeds,
): Promise<string> {
  const answer = await test.call('POST', '/therapist/payment/add-new-card', {
    token,
    body: { card_number: number, expiry_month: 12, expiry_year: 2034, cvv_number: '123' },
  })
  if (answer.status !== 201) throw new Error(`add-new-card answered ${answer.status}`)
  return String(answer.body.payment_method_id)
}

type Service = {
  service_id: number
  appointment_type: AppointmentType
  duration_minutes: number
  fee_pence: number
}

type PractitionerOptions = {
  state?: 'draft' | 'submitted' | 'approved' | 'rejected' | 'suspended'
  subscribedUntil?: Date | null
  timezone?: string
  services?: Service[]
  /** Local hours, every day of the week; 08:00 to 21:00 unless given. */
  hours?: number[]
  firstName?: string
  lastName?: string
  password?: string
  /** A link of their own unless given. */
  room?: 'hearth'
}

export type Practitioner = {
  id: number
  accountId: string
  email: string
  locationId: number
  onlineServiceId: number
  roomServiceId: number
}

/** A listed practitioner with an online service at £60 and one face to face at £80, free every day. */
export async function createPractitioner(
  test: TestApp,
  options: PractitionerOptions = {},
): Promise<Practitioner> {
  const { db, clock } = test
  const number = next()
  const email = `practitioner${number}@example.test`
  const accountId = crypto.randomUUID()
  const services = options.services ?? [
    { service_id: 1, appointment_type: 'online', duration_minutes: 50, fee_pence: 6000 },
    { service_id: 1, appointment_type: 'face_to_face', duration_minutes: 50, fee_pence: 8000 },
  ]
  const subscribedUntil =
    options.subscribedUntil === undefined ? new Date('2099-01-01T00:00:00Z') : options.subscribedUntil
  await db
    .insertInto('accounts')
    .values({
      id: accountId,
      role: 'therapist',
      email,
      password_hash: options.password ?? null,
      first_name: options.firstName ?? 'Priya',
      last_name: options.lastName ?? `Patel${number}`,
      created_at: clock.now(),
    })
    .execute()
  const { id } = await db
    .insertInto('practitioners')
    .values({
      account_id: accountId,
      state: options.state ?? 'approved',
      timezone: options.timezone ?? 'Europe/London',
      years_of_experience: 8,
      about: 'I work with people who feel stuck.',
      short_description: 'A calm place to think.',
      room: options.room ?? 'own',
      meeting_link: options.room === 'hearth' ? null : 'https://rooms.example.test/priya',
      subscribed_until: subscribedUntil,
      created_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: locationId } = await db
    .insertInto('locations')
    .values({
      practitioner_id: id,
      name: 'Rosewood House',
      country: 'United Kingdom',
      city: 'Leeds',
      street: 'Park Row',
      home_number: '12',
      postal_code: 'LS1 5HD',
      latitude: 53.8,
      longitude: -1.55,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('practitioner_services')
    .values(services.map((service) => ({ ...service, practitioner_id: id })))
    .execute()
  await db
    .insertInto('practitioner_provider_types')
    .values({ practitioner_id: id, provider_type_id: 1 })
    .execute()
  await db.insertInto('practitioner_languages').values({ practitioner_id: id, language_id: 1 }).execute()
  await db.insertInto('practitioner_issues').values({ practitioner_id: id, issue_id: 1 }).execute()
  const hours = options.hours ?? Array.from({ length: 14 }, (_, index) => 8 + index)
  const offered = [...new Set(services.map((service) => service.appointment_type))]
  // As one parameter each: a statement with one for every field of the usual 196 rows takes several times as long.
  await sql`insert into weekly_hours (practitioner_id, weekday, hour, appointment_type, location_id)
    select ${id}::int, weekday, hour, type, case when type = 'face_to_face' then ${locationId}::int end
    from generate_series(1, 7) weekday, unnest(${hours}::int[]) hour, unnest(${offered}::text[]) type`.execute(
    db,
  )
  await inTransaction(db, (tx) => test.services.search.project(tx, id))
  return { id, accountId, email, locationId, onlineServiceId: 1, roomServiceId: 1 }
}

/** Adds another place of a practitioner, in none of their hours. Returns its id. */
export async function addPlace(
  test: TestApp,
  { id }: Pick<Practitioner, 'id'>,
  name: string,
): Promise<number> {
  const place = await test.db
    .insertInto('locations')
    .values({
      practitioner_id: id,
      name,
      country: 'United Kingdom',
      city: 'Leeds',
      street: 'Elm Road',
      home_number: '3',
      postal_code: 'LS2 1AA',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return place.id
}

export type Admin = { token: string; id: string; email: string; secret: string; recoveryCodes: string[] }

/** An admin who was put into the database and has signed in with the password alone. */
export async function createNewAdmin(test: TestApp): Promise<{ token: string; id: string; email: string }> {
  const { id, email } = await insertAdmin(test)
  const answer = await test.call('POST', '/admin/login', { body: { email, password } })
  return { token: String(answer.body.token), id, email }
}

/** Signs in an admin with a second factor, by the code of the time step before, so that the present one is fresh. */
export async function createAdmin(test: TestApp): Promise<Admin> {
  const { id, email } = await insertAdmin(test)
  const secret = new Secret({ size: 20 })
  const recoveryCodes = [systemRandom.code(16), systemRandom.code(16)]
  await test.db
    .insertInto('second_factors')
    .values({
      account_id: id,
      secret: test.secrets.seal('second factor', id, secret.bytes),
      confirmed_at: test.clock.now(),
    })
    .execute()
  await test.db
    .insertInto('recovery_codes')
    .values(
      recoveryCodes.map((code) => ({
        account_id: id,
        digest: test.secrets.digest('recovery code', id, code),
      })),
    )
    .execute()
  const totp = codeOf(test, secret.base32, -1)
  const answer = await test.call('POST', '/admin/login', { body: { email, password, totp } })
  if (answer.status !== 200) throw new Error(`admin/login answered ${answer.status}`)
  return { token: String(answer.body.token), id, email, secret: secret.base32, recoveryCodes }
}

async function insertAdmin(test: TestApp): Promise<{ id: string; email: string }> {
  const id = crypto.randomUUID()
  const email = `admin${next()}@example.test`
  await test.db
    .insertInto('accounts')
    .values({
      id,
      role: 'admin',
      email,
      password_hash: await hashPassword(password, cheapCost),
      first_name: 'Ada',
      last_name: 'Admin',
      created_at: test.clock.now(),
    })
    .execute()
  return { id, email }
}

/** What an authenticator app shows now, or so many steps of 30 seconds later. */
export function codeOf(test: TestApp, secret: string, steps = 0): string {
  return TOTP.generate({
    secret: Secret.fromBase32(secret),
    timestamp: test.clock.now().getTime() + steps * 30_000,
  })
}

/** Gives a practitioner a password and signs them in. */
export async function signInPractitioner(test: TestApp, practitioner: Practitioner): Promise<string> {
  await test.db
    .updateTable('accounts')
    .set({ password_hash: await hashPassword(password, cheapCost) })
    .where('id', '=', practitioner.accountId)
    .execute()
  const answer = await test.call('POST', '/therapist/login', {
    body: { email: practitioner.email, password },
  })
  return String(answer.body.token)
}

type Session = {
  practitioner: Pick<Practitioner, 'id'>
  client: Pick<Client, 'token'>
  startsAt: string
  type?: AppointmentType
  serviceId?: number
  card?: string
  /** The session that the page has shown to be cancelled for it; null for none. */
  replaces?: string | null | undefined
  /** Its start as the page has shown it. */
  replacesStart?: string
}

/** Statements and pays a session over HTTP. Returns its id. */
export async function bookSession(test: Calls, options: Session): Promise<string> {
  const { practitioner, client, startsAt, type = 'online', serviceId = 1 } = options
  const token = client.token
  const customerId = options.card ?? (await saveCard(test, client))
  const created = await test.call('POST', '/appointment/create-session', {
    token,
    body: {
      practitioner_id: practitioner.id,
      booking_type: 'schedule',
      service_id: serviceId,
      datetime: startsAt,
      appointment_type: type,
    },
  })
  if (created.status !== 201)
    throw new Error(`create-session: ${created.status} ${JSON.stringify(created.body)}`)
  const id = String(created.body.session_id)
  const paid = await test.call('POST', '/payment/sandbox/existing-card-payment', {
    token,
    body: { session_id: id, customer_id: customerId },
  })
  if (paid.status !== 200)
    throw new Error(`existing-card-payment: ${paid.status} ${JSON.stringify(paid.body)}`)
  const { replaces: replaces_appointment_id, replacesStart: replaces_starts_at } = options
  const body = { appointment_id: id, replaces_appointment_id, replaces_starts_at }
  const booked = await test.call('POST', '/appointment/instant-book', { token, body })
  if (booked.status !== 200) throw new Error(`instant-book: ${booked.status} ${JSON.stringify(booked.body)}`)
  return id
}

/** Every account of the ledger, in pence. It must always sum to zero. */
export async function ledger(test: TestApp): Promise<Record<string, number>> {
  const { rows } = await sql<{ account: string; sum: string }>`
    select account, sum(amount_pence)::text as sum from ledger_entries group by account`.execute(test.db)
  return Object.fromEntries(rows.map((row) => [row.account, Number(row.sum)]))
}
