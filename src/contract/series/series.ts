import { z } from 'zod'
import { AppointmentDetail, AppointmentState } from '../bookings/bookings.ts'
import { AppointmentType, Day, Id, Instant, InstantSent, Pounds, PoundsSent } from '../common.ts'
import { Card } from '../payments.ts'

/** How many dates are shown before the client agrees. */
export const shownDates = 10
/** How far ahead dates are reserved. Days. */
export const reservedDays = 70
/** How long a client has to answer a proposal. Days. */
export const proposalDays = 7
/** How long before it applies a new price is announced. Days. */
export const newPriceDays = 28

export const seriesStates = ['proposed', 'active', 'paused', 'ended'] as const
export const SeriesState = z.enum(seriesStates)
export type SeriesState = z.infer<typeof SeriesState>

export const seriesRules = ['open', 'ask', 'closed'] as const
/** Whether clients may keep an hour by themselves, have to ask the practitioner first, or cannot. */
export const SeriesRule = z.enum(seriesRules)
export type SeriesRule = z.infer<typeof SeriesRule>

/** 1 is Monday, 7 Sunday. */
export const Weekday = z.number().int().min(1).max(7)
/** `10:00` on the clocks of the series' zone. */
export const StartTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time such as 10:00.')
export const EveryWeeks = z.union([z.literal(1), z.literal(2), z.literal(4)], 'Choose 1, 2 or 4 weeks.')
export type EveryWeeks = z.infer<typeof EveryWeeks>

/** The agreed hour, as the clocks of `timezone` show it. */
export const Rhythm = z.object({
  weekday: Weekday,
  start: StartTime,
  every_weeks: EveryWeeks,
  duration_minutes: z.number().int(),
  /** The practitioner's when the series was made. */
  timezone: z.string(),
})
export type Rhythm = z.infer<typeof Rhythm>

/** The series that a session belongs to, where the session is shown. */
export const SeriesOfSession = z.object({
  series_id: z.uuid(),
  state: SeriesState,
  rhythm: Rhythm,
  /** The price that the practitioner asks for the session, until the client answers. Declined, it does not take place. */
  asked_price: z.object({ fee: Pounds, answer_by: Instant }).optional(),
})
export type SeriesOfSession = z.infer<typeof SeriesOfSession>

/** Why an hour of the rhythm cannot be had. `own_session`: the client has another session then. */
export const ConflictCause = z.enum(['taken', 'time_off', 'blocked', 'busy_elsewhere', 'own_session', 'past'])
export type ConflictCause = z.infer<typeof ConflictCause>

const Time = z.object({ starts_at: Instant, ends_at: Instant })

/** A date that cannot be had, and up to three free times nearest to it in the same week. */
export const SeriesConflict = z.object({
  on_date: Day,
  starts_at: Instant,
  cause: ConflictCause,
  alternatives: z.array(Time).max(3),
})
export type SeriesConflict = z.infer<typeof SeriesConflict>

/**
 * `free`: reserved as soon as the client agrees. `later`: reserved from `reserved_from`. `planned`, `moved`: there is a
 * session. `conflict`: the hour cannot be had; skip it or choose another time. `released`: the session was cancelled.
 */
export const seriesDateStates = [
  'free',
  'later',
  'planned',
  'moved',
  'skipped',
  'conflict',
  'released',
] as const
export const SeriesDateState = z.enum(seriesDateStates)
export type SeriesDateState = z.infer<typeof SeriesDateState>

/**
 * How the payment of a date stands. `due`: the card was declined, and the client has to pay it by `pay_by`. `missed`: it was
 * not paid by then, so the session was cancelled.
 */
export const DatePayment = z.enum(['not_yet', 'due', 'checking', 'paid', 'refunded', 'missed', 'none'])
export type DatePayment = z.infer<typeof DatePayment>

export const SeriesDate = z.object({
  /** The day in the rhythm, in the series' zone. It names the date, also of a session that was moved. */
  on_date: Day,
  state: SeriesDateState,
  /** Of the session; of the rhythm where there is none. */
  starts_at: Instant,
  ends_at: Instant,
  /** The rhythm's own start, from which a moved session has been moved. */
  rhythm_starts_at: Instant,
  appointment_id: z.uuid().nullable(),
  session_status: AppointmentState.nullable(),
  /** What the client pays, less the discount of a first session; to the practitioner, the whole price. */
  fee: Pounds,
  payment: DatePayment,
  /** When the money is taken; it is free to skip until then. */
  pay_at: Instant,
  /** An unpaid session is cancelled then. */
  pay_by: Instant,
  /** `pay_at` has passed, so the money is taken on agreement. */
  taken_at_once: z.boolean(),
  /** The session is being checked: meanwhile it is neither paid nor moved. */
  frozen: z.boolean().optional(),
  /** Of an unpaid session: whether a card is set that it is charged to by itself. */
  card_set: z.boolean().optional(),
  /** Only of `later`. */
  reserved_from: Day.nullable(),
  /** Only of `conflict`, and of `later` where the conflict is known today. */
  conflict: SeriesConflict.nullable(),
  /** What the caller may do to it now. */
  can: z.object({
    skip: z.boolean(),
    /** Take a skipped date up again. */
    restore: z.boolean(),
    /** Move the session, by `edit-session`. */
    move: z.boolean(),
    /** Choose another time for a date in conflict, by `move`. */
    choose_time: z.boolean(),
    /** The practitioner may keep a date that only their other calendar is in the way of. */
    keep: z.boolean(),
    pay: z.boolean(),
    /** The practitioner may let the client pay until the session starts. */
    allow_late_payment: z.boolean(),
  }),
})
export type SeriesDate = z.infer<typeof SeriesDate>

export const PriceChange = z.object({
  fee: Pounds,
  /** The first date at the new price. */
  from_date: Day,
  asked_at: Instant,
  /** Without an answer by then, the series ends at `from_date`. */
  answer_by: Instant,
  answer: z.enum(['accepted', 'declined']).nullable(),
})
export type PriceChange = z.infer<typeof PriceChange>

export const SeriesTerms = z.object({
  version: z.string(),
  /** Paragraphs of plain text. */
  text: z.array(z.string()),
})
export type SeriesTerms = z.infer<typeof SeriesTerms>

const SeriesPlace = z.object({ location_id: Id, location_name: z.string(), address: z.string() })

/** What a series is about, before and after it is made. */
const Subject = z.object({
  practitioner: AppointmentDetail.shape.practitioner,
  service_id: Id,
  service_name: z.string(),
  appointment_type: AppointmentType,
  location: SeriesPlace.nullable(),
  rhythm: Rhythm,
  first_on: Day,
  /** What each session costs. */
  fee: Pounds,
})

/** A series as one of its two people sees it. */
export const Series = Subject.extend({
  series_id: z.uuid(),
  state: SeriesState,
  you: z.enum(['client', 'practitioner']),
  /** `Alex M.` to the practitioner, or 'Former client' once the account is deleted. */
  client_name: z.string(),
  last_on: Day.nullable(),
  proposed_by: z.enum(['client', 'practitioner']),
  /** Only while it is proposed. */
  proposed_until: Instant.nullable(),
  /** Whose answer a proposal waits for. */
  waits_for: z.enum(['client', 'practitioner']).nullable(),
  agreed_at: Instant.nullable(),
  paused: z
    .object({
      cause: z.enum(['unpaid', 'suspension']),
      /** It ends then, unless it goes on before. */
      until: Instant.nullable(),
      /** Of `unpaid`: paying this session lets the series go on. */
      pay_appointment_id: z.uuid().nullable(),
    })
    .nullable(),
  ended: z
    .object({
      at: Instant,
      by: z.enum(['client', 'practitioner', 'system']),
      cause: z
        .enum([
          'declined',
          'not_answered',
          'by_choice',
          'changed',
          'price_declined',
          'unpaid',
          'suspension',
          'closed',
          'unlisted',
          'account_deleted',
        ])
        .nullable(),
      /** What the practitioner wrote to the client on ending it. */
      reason: z.string().nullable(),
    })
    .nullable(),
  /** The series that goes on in its place, after a change of the rhythm. */
  continued_by: z.uuid().nullable(),
  price_change: PriceChange.nullable(),
  /** What the client pays with; null to the practitioner, before agreement, and once the card was removed. */
  card: Card.extend({
    /** It expires before the next payment is taken. */
    expires_soon: z.boolean(),
  }).nullable(),
  /**
   * The practitioner's clocks have moved to another zone: the agreed hour stays as the series' zone shows it, and both confirm
   * it as the new clocks do.
   */
  new_zone: z
    .object({
      timezone: z.string(),
      confirmed_by_client: z.boolean(),
      confirmed_by_practitioner: z.boolean(),
    })
    .nullable(),
  /** The next ten dates, soonest first; of a proposal, the first ten. */
  dates: z.array(SeriesDate),
  /** What the client agrees to, while it is proposed. */
  terms: SeriesTerms.nullable(),
  /** What the caller may do now. */
  can: z.object({
    agree: z.boolean(),
    accept: z.boolean(),
    decline: z.boolean(),
    away: z.boolean(),
    change: z.boolean(),
    end: z.boolean(),
    change_card: z.boolean(),
    answer_price: z.boolean(),
    propose_price: z.boolean(),
    /** Go on after a reinstatement. */
    resume: z.boolean(),
    /** Confirm the hour as the practitioner's new clocks show it. */
    confirm_zone: z.boolean(),
  }),
  /** If the caller ends it now: the paid sessions that stay, and the reserved ones that go. */
  on_end: z.object({
    stays: z.array(Instant),
    goes: z.number().int(),
    /** Of a practitioner who ends it with its next session: when that is. Null if it can only end at once. */
    last_session_at: Instant.nullable(),
  }),
})
export type Series = z.infer<typeof Series>

/** From a session, which gives what is left out; or of a practitioner, with everything named. */
export const SeriesWanted = z.object({
  appointment_id: z.uuid().nullish(),
  practitioner_id: Id.nullish(),
  service_id: Id.nullish(),
  appointment_type: AppointmentType.nullish(),
  location_id: Id.nullish(),
  weekday: Weekday.nullish(),
  start: StartTime.nullish(),
  every_weeks: EveryWeeks.default(1),
  /** The first date; the next one of the rhythm when absent. */
  first_on: Day.nullish(),
})
export type SeriesWanted = z.infer<typeof SeriesWanted>

export const SeriesPreview = Subject.extend({
  dates: z.array(SeriesDate),
  terms: SeriesTerms,
  /** The practitioner accepts the series before the client can agree. */
  needs_acceptance: z.boolean(),
})
export type SeriesPreview = z.infer<typeof SeriesPreview>

export const Agreement = z.object({
  customer_id: z.uuid(),
  terms_version: z.string().max(40),
  /** How the shown dates are resolved; one that is left out is kept. */
  dates: z
    .array(
      z.object({
        on_date: Day,
        action: z.enum(['keep', 'skip', 'move']),
        /** Of `move`. */
        starts_at: InstantSent.nullish(),
      }),
    )
    .max(20, 'At most 20 dates.')
    .default([]),
  /** The series as it was shown: where it is another one, the answer is 409 `changed_elsewhere`. */
  shown: z
    .object({
      first_on: Day,
      every_weeks: EveryWeeks,
      duration_minutes: z.number().int(),
      service_id: Id,
      appointment_type: AppointmentType,
      /** Null of a series online. */
      location_id: Id.nullable(),
      fee: PoundsSent,
    })
    .optional(),
})
export type Agreement = z.infer<typeof Agreement>

export const ChangedRhythm = z.object({
  /** The first date of the new rhythm is on this day or after it. */
  from: Day,
  weekday: Weekday,
  start: StartTime,
  /** As before when absent. */
  every_weeks: EveryWeeks.nullish(),
  service_id: Id.nullish(),
  appointment_type: AppointmentType.nullish(),
  location_id: Id.nullish(),
  /** Of the new rhythm's conflicts. */
  dates: Agreement.shape.dates,
})
export type ChangedRhythm = z.infer<typeof ChangedRhythm>

export const seriesParams = z.object({ series_id: z.uuid() })
export const seriesDateParams = seriesParams.extend({ on_date: Day })
/** A change of a series. It is carried out once, however often it is sent. */
export const seriesChange = {
  owner: 'series',
  params: seriesParams,
  answer: z.object({ data: Series }),
  idempotent: true,
} as const
