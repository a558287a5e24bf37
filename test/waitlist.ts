import type { WaitlistEntry, WaitlistOffer } from '#contract/waitlist/waitlist.ts'
import type { Answer, TestApp } from './build-test-app.ts'
import type { Client, Practitioner } from './factories.ts'

/** The day on which the practitioners of these tests are full. */
export const wantedDay = '2026-06-05'
/** 10:00 in London. */
export const wantedStart = '2026-06-05T09:00:00.000Z'

/** What joins a waitlist for one morning. */
export const joinBody = (practitioner: Pick<Practitioner, 'id'>, more: Record<string, unknown> = {}) => ({
  practitioner_id: practitioner.id,
  service_id: 1,
  appointment_type: 'online',
  windows: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '20:00' }],
  earliest: wantedDay,
  latest: wantedDay,
  lead_minutes: 60,
  timezone: 'Europe/London',
  ...more,
})

/** Joins over HTTP. Returns the entry. */
export async function joinWaitlist(
  app: TestApp,
  client: Pick<Client, 'token'>,
  practitioner: Pick<Practitioner, 'id'>,
  more: Record<string, unknown> = {},
): Promise<WaitlistEntry> {
  const answer = await app.call('POST', '/waitlist', {
    token: client.token,
    body: joinBody(practitioner, more),
  })
  if (answer.status !== 201) throw new Error(`waitlist: ${answer.status} ${JSON.stringify(answer.body)}`)
  // The next one to join comes after this one.
  app.clock.advance(1)
  return answer.body as unknown as WaitlistEntry
}

export async function cancelSession(
  app: TestApp,
  client: Pick<Client, 'token'>,
  id: string,
): Promise<Answer> {
  return app.call('POST', '/appointment/cancel-session', {
    token: client.token,
    body: { appointment_id: id },
  })
}

/** Moves the clock by minutes, and has the jobs and sweeps of the waitlist look. */
export async function passMinutes(app: TestApp, count: number): Promise<void> {
  app.clock.set(new Date(app.clock.now().getTime() + count * 60_000).toISOString())
  await app.services.bookings.sweep()
  await app.services.payments.recover()
  await app.services.waitlistMatching.sweep()
}

/** The entries of a client as they see them. */
export async function entriesOf(app: TestApp, client: Pick<Client, 'token'>): Promise<WaitlistEntry[]> {
  const answer = await app.call('GET', '/client/waitlist', { token: client.token })
  return answer.body as unknown as WaitlistEntry[]
}

export async function readOffer(
  app: TestApp,
  client: Pick<Client, 'token'>,
  id: string,
): Promise<WaitlistOffer> {
  const answer = await app.call('GET', `/waitlist/offers/${id}`, { token: client.token })
  if (answer.status !== 200) throw new Error(`offer: ${answer.status}`)
  return answer.body as unknown as WaitlistOffer
}

/** Authorises the price of an appointment on a saved card. */
export const payOffered = (app: TestApp, client: Pick<Client, 'token'>, appointment: string, card: string) =>
  app.call('POST', '/payment/sandbox/existing-card-payment', {
    token: client.token,
    body: { session_id: appointment, customer_id: card },
  })

export const confirmOffered = (
  app: TestApp,
  client: Pick<Client, 'token'>,
  appointment: string,
  shown: { replaces_appointment_id?: string | null; replaces_starts_at?: string | null } = {},
) =>
  app.call('POST', '/appointment/instant-book', {
    token: client.token,
    body: { appointment_id: appointment, ...shown },
  })

/** Every open offer, the first made first. */
export const openOffers = (app: TestApp) =>
  app.db
    .selectFrom('waitlist_offers')
    .select(['id', 'entry_id', 'kind', 'starts_at', 'appointment_id', 'expires_at'])
    .where('state', '=', 'open')
    .orderBy('made_at')
    .orderBy('id')
    .execute()
