import { clientName } from '#contract/client-name.ts'
import type { SessionAhead } from '#contract/back-office/back-office.ts'
import type { Appointment, AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { LateReturn, PaidSession } from '#contract/back-office/payments.ts'
import type { KnownAttendance } from '../../contributions/lookups.ts'
import type { Location } from '#contract/practitioners/practitioners.ts'
import type { Outside, ScheduledSession } from '#contract/availability/schedule.ts'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import { pounds } from '#contract/money.ts'
import type { RefundSum } from '../payments/refund-sums.rules.ts'
import type { LastingCard } from '../practitioners/practitioners.mapper.ts'
import type { OnlineRoom } from '../practitioners/practitioners.rules.ts'
import {
  changeDeadline,
  disputeShown,
  extensionOf,
  feeGivenBack,
  isFrozen,
  isRefundable,
  leavesBy,
  mayChange,
  practitionerActions,
  sharedCauseOf,
  outcomeDeadline,
} from './bookings.rules.ts'
import type { AppointmentRow } from './bookings.store.ts'
import type { LateReturnRow, PaidRow } from './paid-sessions/paid-sessions.store.ts'
import { toRoom } from './online-rooms.mapper.ts'
import type { AheadRow } from './freezes/freezes.store.ts'
import type { SessionRow } from './practitioner/practitioner-schedule.store.ts'
import { freeUntil, mayPayLate, paymentDue } from './reserved/reserved.rules.ts'
import { disputeUntil, noShowFrom } from './no-shows/no-shows.rules.ts'
import type { PractitionerRow } from './practitioner/practitioner-sessions.store.ts'

/** Visa ending in 4242. */
const cardWords = ({ brand, last4 }: { brand: string; last4: string }) =>
  `${brand.slice(0, 1).toUpperCase()}${brand.slice(1)} ending in ${last4}`

type OfSomeKind = { booking_type: AppointmentRow['booking_type']; service_name: string | null }

/** The name of a session. Help right now is none of the practitioner's services. */
const nameOf = (row: OfSomeKind) =>
  row.booking_type === 'get-help-right-now' ? 'Get help right now' : row.service_name

/** The columns of an appointment that its response is made of. */
export type AppointmentFacts = Pick<
  AppointmentRow,
  | 'id'
  | 'client_id'
  | 'practitioner_id'
  | 'location_id'
  | 'appointment_type'
  | 'booking_type'
  | 'state'
  | 'service_id'
  | 'service_name'
  | 'fee_pence'
  | 'discount_pence'
  | 'starts_at'
  | 'ends_at'
  | 'hold_expires_at'
  | 'hold_extended'
  | 'offer_id'
>

/** The appointment in the responses of create-session, instant-book and edit-session. */
export function toAppointment(row: AppointmentFacts): Appointment {
  return {
    session_id: row.id,
    appointment_id: row.id,
    patient_id: row.client_id,
    practitioner_id: row.practitioner_id,
    location_id: row.location_id,
    appointment_type: row.appointment_type,
    client_category_id: 1,
    booking_type: row.booking_type,
    status: row.state,
    service_id: row.service_id,
    service_name: nameOf(row),
    fee: pounds(row.fee_pence - row.discount_pence),
    full_fee: pounds(row.fee_pence),
    discount: pounds(row.discount_pence),
    starts_at: row.starts_at?.toISOString() ?? null,
    ends_at: row.ends_at?.toISOString() ?? null,
    hold_expires_at: row.state === 'pending' ? (row.hold_expires_at?.toISOString() ?? null) : null,
    // The turn of an offer is as long as it was promised; only the bank's question extends it.
    hold_extendable: row.offer_id === null && extensionOf(row) !== undefined,
  }
}

type Surroundings = {
  now: Date
  practitioner: LastingCard & { timezone: string }
  isBookable: boolean
  onlineRoom: OnlineRoom | undefined
  roomEndedAt: Date | undefined
  location: Location | undefined
  refund: RefundSum | undefined
  dispute: 'open' | 'inquiry' | 'won' | 'lost' | undefined
  /** Whether a payment was begun and its result is not known. */
  isPaying: boolean
  /** Whether its card can be charged when the money of a reserved session is taken. */
  isCardSet: boolean
}

/** The appointment with everything a screen shows about it. */
export function toDetail(row: AppointmentRow, around: Surroundings): AppointmentDetail {
  const { practitioner, location, refund, now } = around
  const service = nameOf(row)
  const session =
    row.starts_at && row.first_booked_at
      ? { startsAt: row.starts_at, firstBookedAt: row.first_booked_at }
      : undefined
  const frozen = isFrozen(row)
  const allowed =
    session !== undefined &&
    !frozen &&
    (row.state === 'reserved' ? now < session.startsAt : row.state === 'confirmed' && mayChange(session, now))
  const until = row.state === 'reserved' ? freeUntil(row, now) : session && changeDeadline(session)
  return {
    ...toAppointment(row),
    id: row.id,
    sequence: row.sequence,
    appointment_datetime: row.starts_at?.toISOString() ?? null,
    type: row.appointment_type,
    services: service ? [{ service_name: service }] : [],
    practitioner: {
      practitioner_id: practitioner.practitioner_id,
      first_name: practitioner.first_name,
      last_name: practitioner.last_name,
      full_name: practitioner.full_name,
      main_image: practitioner.main_image,
      provider_types: practitioner.provider_types,
      timezone: practitioner.timezone,
      bookable: around.isBookable,
    },
    location: location ? { location_name: location.location_name, address: addressOf(location) } : null,
    ...toRoom(row, around.onlineRoom, around.roomEndedAt),
    change: { allowed, until: allowed && until ? until.toISOString() : null },
    refund: refund
      ? {
          amount: pounds(refund.amountPence),
          on_change: pounds(refund.changePence),
          ...(refund.failedPence > 0 && { failed: pounds(refund.failedPence) }),
          ...(refund.transferredPence > 0 && { by_transfer: pounds(refund.transferredPence) }),
          state: refund.state,
        }
      : null,
    dispute: disputeShown(around.dispute) ?? null,
    cancelled_by: row.cancelled_by,
    cancelled_because: sharedCauseOf(row.cancel_code),
    frozen_until: frozen ? (row.frozen_until?.toISOString() ?? null) : null,
    ...toPaymentPlan(row, around),
    ...(row.state === 'reserved' && { card_set: around.isCardSet }),
    no_show: toNoShow(row, now),
  }
}

/** The payment of a session of a series. */
function toPaymentPlan(
  row: Pick<AppointmentRow, 'state' | 'series_id' | 'pay_at' | 'pay_by' | 'charge_at' | 'pay_failures'>,
  { isPaying }: { isPaying: boolean },
) {
  return {
    series_id: row.series_id,
    pay_at: row.pay_at?.toISOString() ?? null,
    pay_by: row.pay_by?.toISOString() ?? null,
    payment_due: row.state === 'reserved' ? (isPaying ? ('checking' as const) : paymentDue(row)) : null,
  }
}

/** Null unless the no-show stands, or was overturned after a dispute. */
function toNoShow(row: AppointmentRow, now: Date): AppointmentDetail['no_show'] {
  const noShow = noShowOf(row)
  if (!noShow) return null
  return {
    state: noShow.state,
    declared_at: noShow.declaredAt.toISOString(),
    dispute_until: noShow.disputeUntil.toISOString(),
    can_dispute: row.state === 'no_show' && noShow.state === 'declared' && now < noShow.disputeUntil,
    your_words: row.no_show_client_words,
  }
}

/** Dates of a no-show. One that an early release declared has no row and counts from the session's end. */
function noShowOf(
  row: Pick<
    AppointmentRow,
    'state' | 'ends_at' | 'no_show_state' | 'no_show_declared_at' | 'no_show_dispute_until'
  >,
) {
  const { state, ends_at: endsAt, no_show_state: known } = row
  if (state !== 'no_show' && known !== 'overturned') return undefined
  const declaredAt = row.no_show_declared_at ?? endsAt
  if (!declaredAt) return undefined
  return {
    state: known === null || known === 'withdrawn' ? ('declared' as const) : known,
    declaredAt,
    disputeUntil: row.no_show_dispute_until ?? disputeUntil(declaredAt),
  }
}

type Names = { firstName: string; lastName: string }

/** A session as its practitioner's calendar shows it. */
export function toScheduled(
  row: SessionRow,
  {
    name,
    location,
    outside,
  }: { name: Names | undefined; location: Location | undefined; outside: Outside | null },
): ScheduledSession {
  return {
    appointment_id: row.id,
    booking_type: row.booking_type,
    status: row.state,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    appointment_type: row.appointment_type,
    service_name: nameOf(row),
    client_name: clientName(name),
    client_timezone: name ? row.client_timezone : null,
    location_name: location?.location_name ?? null,
    outside,
    series_id: row.series_id,
    frozen: isFrozen(row),
  }
}

/** The session as its practitioner sees it. */
export function toTherapistSession(
  row: PractitionerRow,
  around: { now: Date; attendance: KnownAttendance | undefined } & Pick<
    Surroundings,
    'onlineRoom' | 'roomEndedAt' | 'location' | 'refund' | 'dispute' | 'isPaying'
  >,
): TherapistSession {
  const { now, location, attendance } = around
  const can = practitionerActions(row, now)
  const deadline = outcomeDeadline(row)
  const noShow = noShowOf(row)
  const isLive = row.state === 'confirmed' || row.state === 'completed' || row.state === 'no_show'
  return {
    appointment_id: row.id,
    client: {
      name: clientName({ firstName: row.first_name, lastName: row.last_name }),
      timezone: row.first_name === '' ? null : row.client_timezone,
    },
    booking_type: row.booking_type,
    status: row.state,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    appointment_type: row.appointment_type,
    service_name: nameOf(row),
    location: location ? { location_name: location.location_name, address: addressOf(location) } : null,
    ...toRoom(row, around.onlineRoom, around.roomEndedAt),
    fee: pounds(row.fee_pence),
    owed: pounds(row.owed_pence),
    payment_change: row.state === 'cancelled' ? null : paymentChange(row, around),
    cancelled_by: row.cancelled_by,
    cancelled_because: sharedCauseOf(row.cancel_code),
    your_reason: row.cancelled_by === 'practitioner' ? row.cancel_reason : null,
    can: {
      ...can,
      no_show: can.no_show && !attendance?.clientCame && !attendance?.practitionerIsMissing,
      complete: can.complete && !attendance?.practitionerIsMissing,
      allow_late_payment: mayPayLate(row, now),
      message: row.first_name !== '',
    },
    settles_at: isLive && now < deadline ? deadline.toISOString() : null,
    frozen_until: isFrozen(row) ? (row.frozen_until?.toISOString() ?? null) : null,
    no_show_from: row.state === 'confirmed' ? noShowFrom(row).toISOString() : null,
    no_show: noShow ? { state: noShow.state, dispute_until: noShow.disputeUntil.toISOString() } : null,
    attendance: toKnownTimes(attendance),
    ...toPaymentPlan(row, around),
  }
}

/** Null where no times are known: neither side came, the session is held elsewhere, or they are forgotten. */
export const toKnownTimes = (known: KnownAttendance | undefined): TherapistSession['attendance'] =>
  known?.client || known?.practitioner ? { client: known.client, practitioner: known.practitioner } : null

/** How the payment of a session changed, if it was not cancelled. */
function paymentChange(
  row: { fee_pence: number; owed_pence: number },
  { refund, dispute }: Pick<Surroundings, 'refund' | 'dispute'>,
): TherapistSession['payment_change'] {
  if (dispute === 'open' || dispute === 'inquiry') return 'disputed'
  if (dispute === 'lost') return 'taken_back'
  const back = feeGivenBack(row, refund)
  return back && (back === 'all' ? 'refunded' : 'partly_refunded')
}

/** The address in one line. */
export function addressOf(location: Location): string {
  const street = [location.home_number, location.street].filter(Boolean).join(' ')
  return [street, location.city, location.postal_code].filter(Boolean).join(', ')
}

/** A session ahead, as the back office sees it before a suspension. */
export function toSessionAhead(row: AheadRow, atOnce: boolean): Omit<SessionAhead, 'series'> {
  return {
    appointment_id: row.id,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    client_name: clientName({ firstName: row.client_first_name, lastName: row.client_last_name }),
    paid: pounds(row.is_paid ? row.price_pence : 0),
    unpaid: pounds(row.is_paid ? 0 : row.price_pence),
    at_once: atOnce,
    frozen_until: row.frozen_until?.toISOString() ?? null,
  }
}

/** A client as the back office sees them. */
export const toClient = (row: {
  client_first_name: string
  client_last_name: string
  client_email: string | null
}) => ({
  full_name: `${row.client_first_name} ${row.client_last_name}`.trim() || 'A former client',
  email: row.client_email,
})

/** A session that was paid for, as the back office sees it. `leftPence`: what may still be refunded of its payments. */
export function toPaidSession(row: PaidRow, leftPence: number, now: Date): Omit<PaidSession, 'series'> {
  const sum = (parts: readonly { amount_pence: number }[]) =>
    parts.reduce((total, part) => total + part.amount_pence, 0)
  const refunds = row.refunds.filter((refund) => refund.state !== 'failed')
  const isDisputed = row.disputes.some((dispute) => dispute.state === 'open' && !dispute.is_refundable)
  return {
    session_id: row.id,
    status: row.state,
    starts_at: row.starts_at?.toISOString() ?? null,
    client: toClient(row),
    practitioner: {
      practitioner_id: row.practitioner_id,
      full_name: `${row.practitioner_first_name} ${row.practitioner_last_name}`.trim(),
    },
    paid: sum(row.payments) / 100,
    refunded: sum(refunds) / 100,
    refundable: isRefundable(row, now) && !isDisputed ? leftPence / 100 : 0,
    disputes: row.disputes.map((dispute) => ({
      amount: dispute.amount_pence / 100,
      state: dispute.state,
      at: new Date(dispute.created_at).toISOString(),
    })),
    payments: row.payments.map((payment) => ({
      amount: payment.amount_pence / 100,
      state: payment.state,
      card: cardWords(payment),
      at: new Date(payment.created_at).toISOString(),
    })),
    refunds: row.refunds.map((refund) => ({
      amount: refund.amount_pence / 100,
      state: refund.state,
      origin: refund.origin,
      reason: refund.reason,
      at: new Date(refund.created_at).toISOString(),
    })),
  }
}

/** A void or refund that is late. */
export function toLateReturn(row: LateReturnRow): LateReturn {
  return {
    session_id: row.appointment_id,
    kind: row.kind,
    booking_type: row.booking_type,
    amount: pounds(row.amount_pence),
    card: cardWords(row),
    client: toClient(row),
    since: row.since.toISOString(),
    promised_by: leavesBy(row.since).toISOString(),
    attempts: row.attempts,
  }
}
