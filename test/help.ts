import { sql } from 'kysely'
import type { TestApp } from './build-test-app.ts'
import { type Client, type Practitioner, saveCard } from './factories.ts'

type Wanted = { client: Pick<Client, 'token'>; issue?: number; preferred?: number; card?: string }

/** Holds a practitioner for a client over HTTP, as the page does. */
export function claimHelp(test: TestApp, { client, issue = 1, preferred }: Wanted) {
  return test.call('POST', '/appointment/create-session', {
    token: client.token,
    body: {
      practitioner_id: null,
      booking_type: 'get-help-right-now',
      fee: 25,
      issue_id: issue,
      ...(preferred === undefined ? {} : { preferred_practitioner_id: preferred }),
    },
  })
}

/** Pays for what has been claimed. */
export function payForHelp(test: TestApp, client: Pick<Client, 'token'>, id: string, card: string) {
  return test.call('POST', '/payment/sandbox/existing-card-payment', {
    token: client.token,
    body: { session_id: id, fee_amount: 25, customer_id: card },
  })
}

export type Asked = { id: string; requestId: string; practitionerId: number }

/** Claims and pays, so that a practitioner is asked. Returns the practitioner and the request. */
export async function askForHelp(test: TestApp, wanted: Wanted): Promise<Asked> {
  const claimed = await claimHelp(test, wanted)
  if (claimed.status !== 201) throw new Error(`create-session: ${claimed.status} ${claimed.body.code}`)
  const id = String(claimed.body.session_id)
  const paid = await payForHelp(test, wanted.client, id, wanted.card ?? (await saveCard(test, wanted.client)))
  if (paid.status !== 200) throw new Error(`existing-card-payment: ${paid.status} ${paid.body.code}`)
  return { id, ...(await openRequest(test, id)) }
}

/** Returns the open request of a search and its practitioner. @throws Error when there is none */
export async function openRequest(test: TestApp, id: string): Promise<Omit<Asked, 'id'>> {
  const row = await test.db
    .selectFrom('help_offers')
    .select(['id', 'practitioner_id'])
    .where('appointment_id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return { requestId: row.id, practitionerId: row.practitioner_id }
}

/** A practitioner's own switch. */
export async function switchOn(test: TestApp, practitioner: Pick<Practitioner, 'id'>, until: Date | null) {
  await test.db
    .updateTable('practitioners')
    .set({ available_now_until: until })
    .where('id', '=', practitioner.id)
    .execute()
}

/** A practitioner's answer to a request. */
export function answerRequest(test: TestApp, token: string, requestId: string, as: 'accept' | 'decline') {
  return test.call('POST', `/therapist/get-help/requests/${requestId}/${as}`, { token })
}

export function followHelp(test: TestApp, client: Pick<Client, 'token'>, id: string) {
  return test.call('GET', `/appointment/${id}`, { token: client.token })
}

/** Everything that has to hold of searches that are over, once all that was begun has been settled. */
export async function finishedHelp(test: TestApp) {
  const { rows: searches } = await sql<{
    id: string
    state: string
    appointment: string
    taken: number
    reserved: number
    live_reservations: number
    open_offers: number
    accepted_offers: number
  }>`
    select d.appointment_id as id, d.state, b.state as appointment,
      coalesce((select sum(g.amount_pence - g.refunded_pence) from payment_intents i
        join sandbox_gateway.payments g on g.idempotency_key = i.id::text
        where i.appointment_id = b.id and g.state = 'captured'), 0)::int as taken,
      (select count(*) from payment_intents i join sandbox_gateway.payments g on g.idempotency_key = i.id::text
        where i.appointment_id = b.id and g.state in ('authorised', 'requires_action'))::int as reserved,
      (select count(*) from reservations r where r.id = b.reservation_id and r.state <> 'released')::int as live_reservations,
      (select count(*) from help_offers o where o.appointment_id = b.id and o.state = 'open')::int as open_offers,
      (select count(*) from help_offers o where o.appointment_id = b.id and o.state = 'accepted')::int as accepted_offers
    from help_dispatches d join appointments b on b.id = d.appointment_id`.execute(test.db)
  const count = (state: string) => searches.filter((each) => each.state === state).length
  const confirmed = ['confirmed', 'completed']
  return {
    searches: searches.length,
    accepted: count('accepted'),
    nobody: count('nobody'),
    /** Searches that are neither confirmed and paid, nor ended without a charge. */
    wrong: searches.filter((each) =>
      each.state === 'accepted'
        ? !confirmed.includes(each.appointment) ||
          each.taken !== 2500 ||
          each.reserved !== 0 ||
          each.accepted_offers !== 1
        : !['nobody', 'stopped', 'expired'].includes(each.state) ||
          !['cancelled', 'expired'].includes(each.appointment) ||
          each.taken !== 0 ||
          each.reserved !== 0 ||
          each.live_reservations !== 0 ||
          each.open_offers !== 0 ||
          each.accepted_offers !== 0,
    ),
  }
}

/** What the ledger must say once so many sessions of help right now have been paid. */
export function helpLedger(accepted: number): Record<string, number> {
  return accepted === 0 ? {} : { gateway_balance: 2500 * accepted, practitioner_payable: -2500 * accepted }
}
