import type { AppointmentType } from '#contract/common.ts'
import { changeDeadline, isFrozen } from '../bookings.rules.ts'
import type { AppointmentRow } from '../bookings.store.ts'
import type { SessionMailKind } from './bookings.mails.rules.ts'
import type { ProfileChange, SessionMail } from './bookings.mails.ts'

/** What a mail about a session stores. */
export type Facts = {
  /** Start of the session before it was moved, as ISO text. */
  moved_from?: string
  /** The refunds that a 'refunded' mail waits for and then is about. */
  refund_ids?: string[]
  profile_change?: ProfileChange
  /** A cancelled session whose row was deleted with the account of its client. */
  session?: DeletedSession
}

type DeletedSession = Pick<
  AppointmentRow,
  'practitioner_id' | 'appointment_type' | 'location_id' | 'cancelled_by' | 'cancel_code'
> & { starts_at: string; ends_at: string }

/** The columns of a cancelled session from which a mail stores it. */
export type CancelledRow = Pick<AppointmentRow, 'id' | keyof DeletedSession>

/** A session as its mails are written from. `client_id` is null if its row was deleted. */
export type MailedSession = Pick<
  AppointmentRow,
  | 'id'
  | 'sequence'
  | 'practitioner_id'
  | 'series_id'
  | 'state'
  | 'appointment_type'
  | 'location_id'
  | 'starts_at'
  | 'ends_at'
  | 'client_timezone'
  | 'fee_pence'
  | 'discount_pence'
  | 'first_booked_at'
  | 'cancelled_by'
  | 'cancel_code'
  | 'frozen_at'
  | 'frozen_until'
  | 'frozen_cause'
  | 'pay_at'
  | 'pay_by'
  | 'charge_at'
  | 'pay_failures'
  | 'no_show_dispute_until'
> & { client_id: string | null }

/** A session that has a time. */
export type TimedSession = MailedSession & {
  starts_at: Date
  ends_at: Date
  appointment_type: AppointmentType
}

export const isTimed = (row: MailedSession): row is TimedSession =>
  row.starts_at !== null && row.ends_at !== null && row.appointment_type !== null

/** What a mail stores of a session whose row is about to be deleted: nothing of its client. */
export function deletedSession(row: CancelledRow): DeletedSession | undefined {
  if (!row.starts_at || !row.ends_at) return undefined
  return {
    practitioner_id: row.practitioner_id,
    appointment_type: row.appointment_type,
    location_id: row.location_id,
    cancelled_by: row.cancelled_by,
    cancel_code: row.cancel_code,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
  }
}

/** The session that a mail stores, if it does. */
export function storedSession(mail: {
  subject_id: string
  sequence: number
  data: Facts
}): MailedSession | undefined {
  const { session } = mail.data
  if (!session) return undefined
  return {
    ...session,
    id: mail.subject_id,
    sequence: mail.sequence,
    starts_at: new Date(session.starts_at),
    ends_at: new Date(session.ends_at),
    state: 'cancelled',
    client_id: null,
    client_timezone: null,
    series_id: null,
    fee_pence: 0,
    discount_pence: 0,
    first_booked_at: null,
    frozen_at: null,
    frozen_until: null,
    frozen_cause: null,
    pay_at: null,
    pay_by: null,
    charge_at: null,
    pay_failures: 0,
    no_show_dispute_until: null,
  }
}

/** What a mail says of a session. `dates` are those of a series that it is about, this one among them. */
export function sessionFacts(
  row: TimedSession,
  dates: readonly { starts_at: Date; frozen_until: Date | null }[],
): Omit<SessionMail['session'], 'place' | 'joinUrl'> {
  return {
    id: row.id,
    sequence: row.sequence,
    isDeleted: row.client_id === null,
    type: row.appointment_type,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    pricePence: row.fee_pence - row.discount_pence,
    changeUntil:
      row.first_booked_at === null
        ? undefined
        : changeDeadline({ firstBookedAt: row.first_booked_at, startsAt: row.starts_at }),
    cancelledBy: row.cancelled_by,
    failure: failureOf(row.cancel_code),
    frozenUntil: isFrozen(row) ? (latest(dates) ?? row.frozen_until) : null,
    isChatClosed: isFrozen(row) && row.frozen_cause !== 'vetting_lapsed',
    disputeUntil: row.no_show_dispute_until ?? undefined,
    unpaid:
      row.state === 'reserved' && row.pay_at && row.pay_by
        ? {
            payAt: row.pay_at,
            payBy: row.pay_by,
            retryAt: row.pay_failures > 0 ? row.charge_at : null,
            wasTried: row.pay_failures > 0,
          }
        : undefined,
    payBy: row.pay_by ?? undefined,
    dates: dates.length > 1 ? dates.map((date) => date.starts_at) : [],
  }
}

const failureOf = (code: string | null): SessionMail['session']['failure'] =>
  code === 'practitioner_absent' || code === 'technical_failure' ? code : undefined

/** The end of the freeze that lasts longest. */
const latest = (dates: readonly { frozen_until: Date | null }[]): Date | undefined =>
  dates.length > 0 ? new Date(Math.max(...dates.map((date) => date.frozen_until?.getTime() ?? 0))) : undefined

/** The change of the practitioner's profile that a mail is about, if it is. */
export const profileChangeIn = (data: unknown) => (data as Facts | undefined)?.profile_change

export const kindOf = ({ template }: { template: string }) =>
  template.replace('session.', '') as SessionMailKind
