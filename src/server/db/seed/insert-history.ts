import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { days, hours, later } from '../../clock.ts'
import type { Random } from '../../ids.ts'
import { captureEntries, type Entry, payoutEntries } from '../../modules/payments/payments.rules.ts'
import { pseudonymOf } from '../../modules/reviews/reviews.rules.ts'
import type { Tx } from '../connection.ts'
import type { DemoHistory, DemoSession } from './demo/history.ts'
import { insertRows } from './insert-rows.ts'

/** Far enough ahead that the demo's late refund stays late: no sweep tries it again. */
const never = days(3650)
/** What the demo practitioner has replied, to the newest reviews. */
const replies = [
  'Thank you. It is good to hear that the walks help.',
  'Thank you for taking the time to write this.',
  'It means a lot that you say so.',
]
/** A review of at most so many stars is the one that the demo practitioner has reported. */
const poor = 3

type Options = {
  now: Date
  random: Random
  /** Ids of accounts by email, of the clients with sessions. */
  accounts: ReadonlyMap<string, string>
  /** Id of the first practitioner of the directory; the others count on. */
  firstId: number
  /** The account of the practitioner who reports one of her reviews. */
  hostAccountId: string
}

type Kept = DemoSession & {
  id: string
  reservationId: string
  intentId: string
  ref: string
  clientId: string
}

/**
 * Inserts past and coming sessions with everything that the product would have stored for them: reservations, payments
 * here and at the sandbox gateway, the ledger, payouts and reviews.
 */
export async function insertHistory(tx: Tx, history: DemoHistory, options: Options): Promise<void> {
  const { random, accounts, firstId } = options
  const sessions = history.sessions.map((session): Kept => {
    const clientId = accounts.get(session.client)
    if (!clientId) throw new Error('A demo client is missing.')
    const [id, reservationId, intentId] = [session.bookedAt, session.bookedAt, session.bookedAt].map((at) =>
      random.uuid(at),
    ) as [string, string, string]
    return { ...session, id, reservationId, intentId, clientId, ref: `pi_sandbox_${intentId}` }
  })
  const zones = new Map(history.clients.map(({ email, timezone }) => [email, timezone]))
  await insertSessions(tx, sessions, firstId, zones)
  await insertPayments(tx, sessions, options)
  await insertLedger(tx, history, sessions, options)
  await insertReviews(tx, sessions, options)
}

async function insertSessions(
  tx: Tx,
  sessions: readonly Kept[],
  firstId: number,
  zones: ReadonlyMap<string, string>,
): Promise<void> {
  const places = await tx.selectFrom('locations').select(['id', 'practitioner_id']).orderBy('id').execute()
  const placeOf = ({ practitioner, locationIndex }: Kept) =>
    locationIndex === null
      ? null
      : (places.filter((place) => place.practitioner_id === firstId + practitioner)[locationIndex]?.id ??
        null)
  await insertRows(
    tx,
    'reservations',
    sessions.map((session) => ({
      id: session.reservationId,
      practitioner_id: firstId + session.practitioner,
      client_id: session.clientId,
      during: `[${session.startsAt.toISOString()},${session.endsAt.toISOString()})`,
      state: session.state === 'cancelled' ? ('released' as const) : ('booked' as const),
      created_at: session.bookedAt,
      pause_minutes: 0,
    })),
  )
  await insertRows(
    tx,
    'appointments',
    sessions.map((session) => ({
      id: session.id,
      client_id: session.clientId,
      practitioner_id: firstId + session.practitioner,
      booking_type: 'schedule' as const,
      state: session.state,
      service_id: session.service.serviceId,
      appointment_type: session.service.appointmentType,
      location_id: placeOf(session),
      reservation_id: session.reservationId,
      starts_at: session.startsAt,
      ends_at: session.endsAt,
      fee_pence: session.service.feePence,
      discount_pence: 0,
      hold_extended: false,
      first_booked_at: session.bookedAt,
      cancelled_by: session.state === 'cancelled' ? ('practitioner' as const) : null,
      cancel_reason: session.state === 'cancelled' ? 'I am ill this week. I am sorry.' : null,
      sequence: session.state === 'cancelled' ? 1 : 0,
      created_at: session.bookedAt,
      client_timezone: zones.get(session.client) ?? 'Europe/London',
    })),
  )
}

/** A card for each client who has paid, every payment captured on booking, and the refund that is late. */
async function insertPayments(tx: Tx, sessions: readonly Kept[], { now, random }: Options): Promise<void> {
  const payers = [...new Set(sessions.map(({ clientId }) => clientId))]
  const year = now.getUTCFullYear() + 3
  // As the sandbox gateway knows its test card, so that adding it again is recognised.
  const fingerprint = createHash('sha256').update('sandbox 4242424242424242').digest('hex').slice(0, 16)
  const cards = payers.map((accountId) => ({
    accountId,
    id: random.uuid(now),
    token: `pm_sandbox_${random.secret()}`,
    facts: { brand: 'visa', last4: '4242', expiry_month: 8, expiry_year: year, fingerprint },
    at: sessions.find(({ clientId }) => clientId === accountId)?.bookedAt ?? now,
  }))
  const cardOf = (accountId: string) => {
    const card = cards.find((each) => each.accountId === accountId)
    if (!card) throw new Error('A demo card is missing.')
    return card
  }
  await tx
    .insertInto('sandbox_gateway.cards')
    .values(cards.map(({ token, facts }) => ({ ...facts, token, behaviour: 'succeeds' })))
    .execute()
  await tx
    .insertInto('sandbox_gateway.payments')
    .values(
      sessions.map((session) => ({
        ref: session.ref,
        idempotency_key: session.intentId,
        card_token: cardOf(session.clientId).token,
        amount_pence: session.service.feePence,
        state: 'captured' as const,
        created_at: session.bookedAt,
      })),
    )
    .execute()
  await insertRows(
    tx,
    'payment_methods',
    cards.map(({ id, accountId, token, facts, at }) => ({
      ...facts,
      id,
      account_id: accountId,
      gateway: 'sandbox',
      gateway_ref: token,
      created_at: at,
      remembered: true,
    })),
  )
  await insertRows(
    tx,
    'payment_intents',
    sessions.map((session) => ({
      id: session.intentId,
      appointment_id: session.id,
      payment_method_id: cardOf(session.clientId).id,
      gateway: 'sandbox',
      gateway_ref: session.ref,
      amount_pence: session.service.feePence,
      discount_pence: 0,
      state: 'captured' as const,
      purpose: 'booking' as const,
      attempts: 0,
      created_at: session.bookedAt,
      updated_at: session.bookedAt,
    })),
  )
  const asked = later(now, -hours(30))
  await insertRows(
    tx,
    'refunds',
    sessions
      .filter(({ state }) => state === 'cancelled')
      .map((session) => ({
        id: random.uuid(asked),
        payment_intent_id: session.intentId,
        amount_pence: session.service.feePence,
        discount_pence: 0,
        reason: 'cancelled by the practitioner',
        state: 'requested' as const,
        attempts: 4,
        last_error: 'api_connection_error',
        origin: 'product' as const,
        created_at: asked,
        tried_at: later(now, never),
      })),
  )
}

async function insertLedger(
  tx: Tx,
  history: DemoHistory,
  sessions: readonly Kept[],
  { random, firstId }: Options,
): Promise<void> {
  const payouts = history.payouts.map((payout) => ({
    ...payout,
    id: random.uuid(payout.at),
    practitionerId: firstId + payout.practitioner,
  }))
  await insertRows(
    tx,
    'payouts',
    payouts.map(({ id, practitionerId, amountPence, month, at }) => ({
      id,
      practitioner_id: practitionerId,
      amount_pence: amountPence,
      reference: `HEARTH ${month}`,
      created_at: at,
    })),
  )
  type Movement = { kind: 'capture' | 'payout'; source: string; at: Date; entries: Entry[] }
  const movements: Movement[] = [
    ...sessions.map(
      (session): Movement => ({
        kind: 'capture',
        source: session.intentId,
        at: session.bookedAt,
        entries: captureEntries({
          practitionerId: firstId + session.practitioner,
          amountPence: session.service.feePence,
          discountPence: 0,
        }),
      }),
    ),
    ...payouts.map(
      ({ id, at, ...payout }): Movement => ({
        kind: 'payout',
        source: id,
        at,
        entries: payoutEntries(payout),
      }),
    ),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime())
  const made = await tx
    .insertInto('ledger_transactions')
    .values(movements.map(({ kind, source, at }) => ({ kind, source_id: source, at })))
    .returning(['id', 'source_id'])
    .execute()
  const idOf = new Map(made.map(({ id, source_id }) => [source_id, id]))
  await tx
    .insertInto('ledger_entries')
    .values(
      movements.flatMap(({ source, entries }) =>
        entries.map((entry) => ({ ...entry, transaction_id: idOf.get(source) ?? 0 })),
      ),
    )
    .execute()
}

/** The reviews of past sessions, of which the practitioner has reported one. */
async function insertReviews(
  tx: Tx,
  sessions: readonly Kept[],
  { now, accounts, firstId, hostAccountId }: Options,
): Promise<void> {
  const nameOf = new Map(
    (
      await tx
        .selectFrom('accounts')
        .select(['id', 'first_name'])
        .where('id', 'in', [...accounts.values()])
        .execute()
    ).map((row) => [row.id, row.first_name]),
  )
  const written = sessions.flatMap((session) =>
    session.review
      ? [
          {
            practitioner_id: firstId + session.practitioner,
            client_id: session.clientId,
            appointment_id: session.id,
            reviewer: pseudonymOf(nameOf.get(session.clientId) ?? ''),
            rating: session.review.rating,
            comment: session.review.comment,
            created_at: later(now, -days(session.review.createdDaysAgo)),
          },
        ]
      : [],
  )
  if (written.length === 0) return
  const answered = written.map((review, index) => {
    const reply = replies[index]
    const repliedAt = later(review.created_at, days(2))
    return { ...review, reply: reply ?? null, replied_at: reply === undefined ? null : repliedAt }
  })
  const rows = await tx.insertInto('reviews').values(answered).returning(['id', 'rating']).execute()
  const reported = rows.find(({ rating }) => rating <= poor) ?? rows[0]
  if (!reported) return
  await tx
    .insertInto('review_reports')
    .values({
      review_id: reported.id,
      about: 'review',
      account_id: hostAccountId,
      reason: 'I think that this is about another practice. I was away in that month.',
      state: 'open',
      created_at: later(now, -hours(26)),
    })
    .execute()
}

/** Views of a profile in the last month, more of them on weekdays. */
export async function insertViews(tx: Tx, practitionerId: number, now: Date): Promise<void> {
  await sql`
    insert into practitioner_profile_views (practitioner_id, day, views)
    select ${practitionerId}::int, day::date, 3 + extract(isodow from day)::int % 6 + extract(day from day)::int % 4
    from generate_series(${later(now, -days(45))}::timestamptz, ${later(now, -days(1))}::timestamptz, '1 day') day
    on conflict do nothing`.execute(tx)
}
