import type {
  ConflictCause,
  DatePayment,
  PriceChange,
  Series,
  SeriesConflict,
  SeriesDate,
  SeriesDateState,
  SeriesOfSession,
} from '#contract/series/series.ts'
import type { AppointmentState } from '#contract/bookings/bookings.ts'
import { clientName } from '#contract/client-name.ts'
import { pounds } from '#contract/money.ts'
import type { Location } from '#contract/practitioners/practitioners.ts'
import type { KnownCard } from '../practitioners/practitioners.service.ts'
import { newZoneOf, startText } from './series.rules.ts'
import type { DateRow } from './series-dates.store.ts'
import type { PriceRow } from './series-prices.store.ts'
import type { SeriesRow } from './series.store.ts'

export type ConflictFacts = {
  onDate: string
  startsAt: Date
  cause: ConflictCause
  alternatives: { startsAt: Date; endsAt: Date }[]
}

export function toConflict({ onDate, startsAt, cause, alternatives }: ConflictFacts): SeriesConflict {
  return {
    on_date: onDate,
    starts_at: startsAt.toISOString(),
    cause,
    alternatives: alternatives.map((slot) => ({
      starts_at: slot.startsAt.toISOString(),
      ends_at: slot.endsAt.toISOString(),
    })),
  }
}

/** A date as it is shown, with or without a session. */
export type ShownDate = {
  onDate: string
  state: SeriesDateState
  startsAt: Date
  endsAt: Date
  rhythmStart: Date
  session: { id: string; state: AppointmentState } | null
  feePence: number
  payment: DatePayment
  payAt: Date
  payBy: Date
  takenAtOnce: boolean
  isFrozen?: boolean
  isCardSet?: boolean
  reservedFrom: string | null
  conflict: ConflictFacts | null
  can: SeriesDate['can']
}

export function toDate(date: ShownDate): SeriesDate {
  return {
    on_date: date.onDate,
    state: date.state,
    starts_at: date.startsAt.toISOString(),
    ends_at: date.endsAt.toISOString(),
    rhythm_starts_at: date.rhythmStart.toISOString(),
    appointment_id: date.session?.id ?? null,
    session_status: date.session?.state ?? null,
    fee: pounds(date.feePence),
    payment: date.payment,
    pay_at: date.payAt.toISOString(),
    pay_by: date.payBy.toISOString(),
    taken_at_once: date.takenAtOnce,
    frozen: date.isFrozen ?? false,
    ...(date.isCardSet === undefined ? {} : { card_set: date.isCardSet }),
    reserved_from: date.reservedFrom,
    conflict: date.conflict && toConflict(date.conflict),
    can: date.can,
  }
}

/** How the payment of a date with a session stands. */
export function paymentOf(row: DateRow, now: Date): DatePayment {
  switch (row.session_state) {
    case 'confirmed':
    case 'completed':
    case 'no_show':
      return 'paid'
    case 'reserved': {
      if (row.is_paying) return 'checking'
      const isOpen = row.pay_at !== null && row.pay_at <= now
      return isOpen && (row.pay_failures ?? 0) > 0 ? 'due' : 'not_yet'
    }
    case 'cancelled':
      if (row.is_refunded) return 'refunded'
      return row.cancel_code === 'unpaid' ? 'missed' : 'none'
    default:
      return 'none'
  }
}

type About = {
  practitionerId: number
  serviceId: number
  serviceName: string
  appointmentType: Series['appointment_type']
  weekday: number
  startMinute: number
  everyWeeks: Series['rhythm']['every_weeks']
  durationMinutes: number
  timezone: string
  firstOn: string
  feePence: number
}

/** What a series is about, before and after it is made. */
export function toSubject(
  about: About,
  around: { card: KnownCard; bookable: boolean; place: Location | undefined },
) {
  const { card, place } = around
  const street = place && [place.home_number, place.street].filter(Boolean).join(' ')
  return {
    practitioner: {
      practitioner_id: about.practitionerId,
      first_name: card.first_name,
      last_name: card.last_name,
      full_name: card.full_name,
      main_image: card.main_image,
      provider_types: card.provider_types,
      timezone: card.timezone,
      bookable: around.bookable,
    },
    service_id: about.serviceId,
    service_name: about.serviceName,
    appointment_type: about.appointmentType,
    location: place
      ? {
          location_id: place.location_id,
          location_name: place.location_name,
          address: [street, place.city, place.postal_code].filter(Boolean).join(', '),
        }
      : null,
    rhythm: {
      weekday: about.weekday,
      start: startText(about.startMinute),
      every_weeks: about.everyWeeks,
      duration_minutes: about.durationMinutes,
      timezone: about.timezone,
    },
    first_on: about.firstOn,
    fee: pounds(about.feePence),
  }
}

type RhythmRow = Pick<
  SeriesRow,
  'id' | 'state' | 'weekday' | 'start_minute' | 'every_weeks' | 'duration_minutes' | 'timezone'
>

export const toSeriesOfSession = (
  row: RhythmRow,
  asked?: Pick<PriceRow, 'fee_pence' | 'answer_by'>,
): SeriesOfSession => ({
  series_id: row.id,
  state: row.state,
  rhythm: {
    weekday: row.weekday,
    start: startText(row.start_minute),
    every_weeks: row.every_weeks,
    duration_minutes: row.duration_minutes,
    timezone: row.timezone,
  },
  ...(asked && {
    asked_price: { fee: pounds(asked.fee_pence), answer_by: asked.answer_by.toISOString() },
  }),
})

export const aboutOf = (row: SeriesRow): About => ({
  practitionerId: row.practitioner_id,
  serviceId: row.service_id,
  serviceName: row.service_name,
  appointmentType: row.appointment_type,
  weekday: row.weekday,
  startMinute: row.start_minute,
  everyWeeks: row.every_weeks,
  durationMinutes: row.duration_minutes,
  timezone: row.timezone,
  firstOn: row.first_on,
  feePence: row.fee_pence,
})

export function toPriceChange(row: PriceRow): PriceChange {
  return {
    fee: pounds(row.fee_pence),
    from_date: row.from_date,
    asked_at: row.asked_at.toISOString(),
    answer_by: row.answer_by.toISOString(),
    answer: row.answer,
  }
}

type Surroundings = {
  you: 'client' | 'practitioner'
  subject: ReturnType<typeof toSubject>
  waitsFor: Series['waits_for']
  /** How long a paused series waits by now. */
  pausedUntil: Date | null
  payAppointmentId: string | null
  price: PriceRow | undefined
  card: Series['card']
  dates: ShownDate[]
  terms: Series['terms']
  can: Series['can']
  onEnd: Series['on_end']
}

export function toSeries(row: SeriesRow, around: Surroundings): Series {
  const { you } = around
  const newZone = newZoneOf(row)
  return {
    ...around.subject,
    series_id: row.id,
    state: row.state,
    you,
    client_name: clientName({ firstName: row.client_first_name, lastName: row.client_last_name }),
    last_on: row.last_on,
    proposed_by: row.proposed_by,
    proposed_until: row.state === 'proposed' ? (row.proposed_until?.toISOString() ?? null) : null,
    waits_for: around.waitsFor,
    agreed_at: row.agreed_at?.toISOString() ?? null,
    paused: row.paused_cause
      ? {
          cause: row.paused_cause,
          until: around.pausedUntil?.toISOString() ?? null,
          pay_appointment_id: around.payAppointmentId,
        }
      : null,
    ended:
      row.ended_at && row.ended_by
        ? {
            at: row.ended_at.toISOString(),
            by: row.ended_by,
            cause: row.end_cause,
            // What a client wrote on ending is not passed on.
            reason: row.ended_by === 'practitioner' || you === 'client' ? row.end_reason : null,
          }
        : null,
    continued_by: row.continued_by,
    price_change: around.price ? toPriceChange(around.price) : null,
    card: you === 'client' ? around.card : null,
    new_zone: newZone
      ? {
          timezone: newZone.timezone,
          confirmed_by_client: newZone.isConfirmedBy.client,
          confirmed_by_practitioner: newZone.isConfirmedBy.practitioner,
        }
      : null,
    dates: around.dates.map(toDate),
    terms: around.terms,
    can: around.can,
    on_end: around.onEnd,
  }
}
