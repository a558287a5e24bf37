import { z } from 'zod'
import { BookingType } from '../bookings/bookings.ts'
import {
  AppointmentType,
  Day,
  Id,
  IdInPath,
  Instant,
  InstantSent,
  Success,
  WeekName,
  weekNames,
} from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'
import { SeriesRule } from '../series/series.ts'

/** The hours that can be scheduled: the first starts at 08:00, the last ends at 22:00. */
export const firstHour = 8
export const endHour = 22

/**
 * `09:00`, and what older clients send for it: the start of a whole hour, such as `9 : 00` or `09:00 — 10`, or `09`, since
 * they cut three characters off.
 */
const TimeslotSent = z
  .string()
  .max(40)
  .regex(/^\s*([01]?\d|2[0-4])(\s*:\s*00(?!\d)|(\s*:)?\s*$)/, 'Must be the start of an hour, such as 09:00.')

const SlotSent = z.object({ timeslot: TimeslotSent, location_id: Id.nullish() })
const SlotsSent = z.array(SlotSent).max(100)

const DaysSent = z
  .array(z.object({ week_name: WeekName, online: SlotsSent, face_to_face: SlotsSent }))
  .length(weekNames.length, 'Send one record for each of the seven weekdays.')
  .refine(
    (days) => new Set(days.map((day) => day.week_name)).size === days.length,
    'Send one record for each of the seven weekdays.',
  )
export type DaysSent = z.infer<typeof DaysSent>

/** The seven records alone, or with the version that they were edited from, so that no concurrent change is lost. */
export const SetupSchedule = z.union([
  DaysSent,
  z.object({ schedule: DaysSent, version: z.number().int().min(0).max(2_147_483_647).optional() }),
])

export const ScheduleSlot = z.object({
  /** `HH:MM` in the practitioner's own zone: an hour from then on. */
  timeslot: z.string(),
  location_id: Id.nullable(),
})

export const DayRecord = z.object({
  week_name: WeekName,
  online: z.array(ScheduleSlot),
  face_to_face: z.array(ScheduleSlot),
})
export type DayRecord = z.infer<typeof DayRecord>

export const BookingRules = z.object({
  /** How long before its start a session may be booked, at least an hour. */
  notice_minutes: z.number().int().min(60).max(10_080),
  /** Kept free between two sessions. */
  pause_minutes: z.number().int().min(0).max(60),
  /** Whether clients may keep an hour every week. */
  series_rule: SeriesRule,
  /** Whether clients may join the waitlist. */
  waitlist: z.enum(['open', 'closed']),
})
export type BookingRules = z.infer<typeof BookingRules>

/** What is left out stays. `seen` is what the window showed before, so that what another one saved is not overwritten. */
export const BookingRulesSent = BookingRules.partial().extend({
  seen: BookingRules.partial({ series_rule: true, waitlist: true }).optional(),
})

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time such as 09:00.')

/** Days, or hours of them, in the practitioner's own zone. Without times, whole days from the first to the last. */
export const TimeOffSent = z.object({
  first_day: Day,
  /** The first one when absent. */
  last_day: Day.nullish(),
  /** On the first day; its beginning when absent. */
  from_time: ClockTime.nullish(),
  /** On the last day; its end when absent. */
  to_time: ClockTime.nullish(),
})

export type TimeOffSent = z.infer<typeof TimeOffSent>

export const TimeOff = z.object({
  time_off_id: Id,
  first_day: Day,
  last_day: Day,
  /** Null where it begins with the day, or ends with it. */
  from_time: z.string().nullable(),
  to_time: z.string().nullable(),
  starts_at: Instant,
  ends_at: Instant,
  /** Sessions that are booked in it all the same. They stay booked. */
  booked_sessions: z.number().int(),
})
export type TimeOff = z.infer<typeof TimeOff>

export const AvailableNow = z.object({
  available: z.boolean(),
  /** When it ends by itself. */
  until: Instant.nullable(),
  /** Whether clients can find the practitioner at all. */
  listed: z.boolean(),
})
export type AvailableNow = z.infer<typeof AvailableNow>

/** Why a booked session lies outside what is offered now: another hour or format, another place, or time off. */
export const Outside = z.enum(['hours', 'place', 'time_off'])
export type Outside = z.infer<typeof Outside>

export const ScheduledSession = z.object({
  appointment_id: z.uuid(),
  booking_type: BookingType,
  status: z.enum(['reserved', 'confirmed', 'completed', 'no_show']),
  /** The weekly series that it belongs to. */
  series_id: z.uuid().nullable(),
  starts_at: Instant,
  ends_at: Instant,
  appointment_type: AppointmentType,
  service_name: z.string().nullable(),
  /** First name and initial. */
  client_name: z.string(),
  /** Of the client's clock when they booked; null where it is not known. */
  client_timezone: z.string().nullable(),
  location_name: z.string().nullable(),
  outside: Outside.nullable(),
  /** Whether it is being checked. */
  frozen: z.boolean().optional(),
})
export type ScheduledSession = z.infer<typeof ScheduledSession>

/** The saved week, and a week of the calendar with what is booked in it. */
export const Schedule = z.object({
  schedule: z.array(DayRecord),
  /** The formats of scheduled hours in which no session that is offered fits. */
  unfit: z.array(AppointmentType).optional(),
  /** To be sent with `setup-schedule`. */
  version: z.number().int(),
  timezone: z.string(),
  rules: BookingRules,
  locations: z.array(z.object({ location_id: Id, location_name: z.string() })),
  /** The Monday of the week that is shown, and today, both in the practitioner's zone. */
  week_starts: Day,
  today: Day,
  sessions: z.array(ScheduledSession),
  time_off: z.array(TimeOff),
  /** Every session ahead, in any week, that lies outside the schedule, soonest first. */
  outside: z.array(ScheduledSession),
})
export type Schedule = z.infer<typeof Schedule>

export const scheduleEndpoints = defineEndpoints({
  'POST /therapist/setup-schedule': {
    access: ['therapist'],
    summary: 'Save the weekly schedule; sessions that are booked stay as they are',
    body: SetupSchedule,
    answer: Success,
  },
  'GET /therapist/get-calendar': {
    access: ['therapist'],
    summary: 'The weekly schedule, a record for each weekday',
    answer: z.array(DayRecord),
  },
  'PUT /therapist/booking-rules': {
    access: ['therapist'],
    summary:
      'Change lead time, pause and whether clients may keep an hour every week or join the waitlist; what is left out stays',
    body: BookingRulesSent,
    answer: BookingRules,
  },
  'GET /therapist/time-off': {
    access: ['therapist'],
    summary: 'Time off that is not over, soonest first',
    answer: z.array(TimeOff),
  },
  'POST /therapist/time-off': {
    access: ['therapist'],
    summary: 'Take days or hours off; sessions that are booked in them stay booked',
    body: TimeOffSent,
    answer: TimeOff,
    status: 201,
  },
  'DELETE /therapist/time-off/{id}': {
    access: ['therapist'],
    summary: 'Give time off up again',
    params: z.object({ id: IdInPath }),
    answer: Success,
  },
  'GET /therapist/available-now': {
    access: ['therapist'],
    summary: 'Whether the practitioner is available for help right now',
    answer: AvailableNow,
  },
  'PUT /therapist/available-now': {
    access: ['therapist'],
    summary: 'Become available for help right now, for two hours unless said otherwise, or stop being it',
    body: z.object({ available: z.boolean(), until: InstantSent.nullish() }),
    answer: AvailableNow,
  },
})
