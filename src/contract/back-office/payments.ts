import { z } from 'zod'
import { appointmentStates, BookingType } from '../bookings/bookings.ts'
import { CappedPageMeta, FreeText, Instant, PageQuery, Pounds, PoundsSent, UuidSent } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { SeriesOfSession } from '../series/series.ts'

/** A session that money was paid for, as the back office sees it. */
export const PaidSession = z.object({
  session_id: z.uuid(),
  status: z.enum(appointmentStates),
  starts_at: Instant.nullable(),
  series: SeriesOfSession.nullable(),
  client: z.object({ full_name: z.string(), email: z.string().nullable() }),
  practitioner: z.object({ practitioner_id: z.number().int(), full_name: z.string() }),
  paid: Pounds,
  refunded: Pounds,
  /** What can still be given back now; 0 where the session has to be cancelled instead. */
  refundable: Pounds,
  payments: z.array(
    z.object({
      amount: Pounds,
      state: z.enum(['capturing', 'captured']),
      card: z.string(),
      at: Instant,
    }),
  ),
  /** The client's disputes with the card's bank. No refund is possible while one is open. */
  disputes: z.array(z.object({ amount: Pounds, state: z.enum(['open', 'won', 'lost']), at: Instant })),
  refunds: z.array(
    z.object({
      amount: Pounds,
      /**
       * `requested`: the gateway has not taken it yet, and is asked again. `failed`: the client's bank has sent it back.
       * `paid_otherwise`: it failed, and the back office has paid it by bank transfer.
       */
      state: z.enum(['requested', 'succeeded', 'failed', 'paid_otherwise']),
      /** `gateway`: it was made in the payment provider's own dashboard. */
      origin: z.enum(['product', 'gateway']),
      reason: z.string(),
      at: Instant,
    }),
  ),
})
export type PaidSession = z.infer<typeof PaidSession>

export const paidFilters = ['all', 'refunded', 'refund_open'] as const
export type PaidFilter = (typeof paidFilters)[number]

/** Money that has been on its way back for longer than it should. */
export const LateReturn = z.object({
  session_id: z.uuid(),
  /** `release`: it was only reserved; `refund`: it had been taken. */
  kind: z.enum(['release', 'refund']),
  booking_type: BookingType,
  amount: Pounds,
  card: z.string(),
  client: z.object({ full_name: z.string(), email: z.string().nullable() }),
  since: Instant,
  /** 24 hours later: clients are promised that it has left by then. */
  promised_by: Instant,
  /** How often the gateway has refused it or not answered. */
  attempts: z.number().int(),
})
export type LateReturn = z.infer<typeof LateReturn>

export const incidentKinds = ['refund', 'capture', 'release', 'refund_failed', 'dispute', 'mismatch'] as const

/** Something that happened at the payment provider by other hands than the product's. */
export const GatewayIncident = z.object({
  incident_id: z.uuid(),
  /**
   * `refund`, `capture`: made in the provider's dashboard. `release`: the authorisation of a confirmed session ended, so
   * that it is not paid. `refund_failed`: the bank sent the money back. `mismatch`: the provider contradicts the books.
   */
  kind: z.enum(incidentKinds),
  /** The provider's name for it, to be found in its dashboard. */
  reference: z.string(),
  /** Null until it has been read at the provider. */
  amount: Pounds.nullable(),
  at: Instant,
  session_id: z.uuid().nullable(),
  session_starts_at: Instant.nullable(),
  practitioner_id: z.number().int().nullable(),
  /** Null where the payment that the provider names belongs to no account here. */
  payer: z.object({ full_name: z.string(), email: z.string().nullable() }).nullable(),
  paid_for: z.enum(['session', 'subscription', 'video_production']).nullable(),
  /** Of `refund_failed`: `open` while the bank has not decided a dispute of the same payment, else null. */
  dispute: z.enum(['open', 'won', 'lost']).nullable(),
  /** What can be decided now; none while a dispute is open. */
  decisions: z.array(z.enum(['noted', 'paid_otherwise', 'borne_by_platform', 'borne_by_practitioner'])),
})
export type GatewayIncident = z.infer<typeof GatewayIncident>

export const paymentsAdminEndpoints = defineEndpoints({
  'GET /admin/payments': {
    access: ['admin'],
    summary: 'Sessions that were paid for, with payments and refunds, the newest payment first',
    query: PageQuery.extend({
      show: z.enum(paidFilters).optional(),
      /** Part of the name or email of client or practitioner, or the number of a session. */
      search: FreeText(100).optional(),
    }),
    answer: z.object({ data: z.array(PaidSession), meta: CappedPageMeta }),
  },
  'GET /admin/payments/late-returns': {
    access: ['admin'],
    summary: 'Money that has been on its way back for 20 hours or more and is still tried for, longest first',
    answer: z.object({
      data: z.array(LateReturn),
      /** How many there are, should they be more than are listed. */
      total: z.number().int(),
    }),
  },
  'GET /admin/payments/incidents': {
    access: ['admin'],
    summary: 'What happened at the payment provider by other hands and waits for a decision, longest first',
    answer: z.object({
      data: z.array(GatewayIncident),
      /** How many there are, should they be more than are listed. */
      total: z.number().int(),
    }),
  },
  'POST /admin/payments/incidents/{id}/resolve': {
    access: ['admin'],
    idempotent: true,
    summary: 'Decide what follows from something that happened at the payment provider',
    params: z.object({ id: UuidSent }),
    body: z.object({
      decision: z.enum(['noted', 'paid_otherwise', 'borne_by_platform', 'borne_by_practitioner']),
      reason: FreeText(500).trim().min(1, 'Give a reason: it stays in the books.'),
    }),
    answer: z.object({ total: z.number().int().describe('How many are left') }),
  },
  'POST /admin/payments/{id}/refund': {
    access: ['admin'],
    idempotent: true,
    summary: 'Give back what was paid for a session that is over or cancelled, in full or in part',
    params: z.object({ id: UuidSent }),
    body: z.object({
      /** All that is left when absent. */
      amount: PoundsSent.optional(),
      /** What had been given back when this was decided: if it is more by now, nothing happens. */
      refunded_before: PoundsSent,
      reason: FreeText(500).trim().min(1, 'Give a reason: it stays in the books.'),
    }),
    answer: PaidSession,
  },
})
