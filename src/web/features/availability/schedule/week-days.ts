import type { DayRecord, Schedule, ScheduledSession, TimeOff } from '#contract/availability/schedule.ts'
import type { WeekName } from '#contract/common.ts'
import { addDays, dayIn } from '#web/lib/time.ts'
import { weekNames } from './schedule-draft.ts'

/** A day of the calendar with what the schedule offers on it and what is booked. */
export type DayPlan = {
  day: string
  name: WeekName
  hours: DayRecord
  sessions: ScheduledSession[]
  timeOff: TimeOff[]
  /** Nothing of the schedule is left of it. */
  isOff: boolean
}

/** The seven days of the week that was asked for. */
export function daysOf(schedule: Schedule): DayPlan[] {
  return weekNames.map((name, index) => {
    const day = addDays(schedule.week_starts, index)
    const timeOff = schedule.time_off.filter(({ first_day, last_day }) => first_day <= day && day <= last_day)
    return {
      day,
      name,
      hours: schedule.schedule.find((record) => record.week_name === name) ?? {
        week_name: name,
        online: [],
        face_to_face: [],
      },
      sessions: schedule.sessions.filter((session) => dayIn(session.starts_at, schedule.timezone) === day),
      timeOff,
      isOff: timeOff.some(
        ({ first_day, last_day, from_time, to_time }) =>
          (first_day < day || from_time === null) && (day < last_day || to_time === null),
      ),
    }
  })
}

/** Sessions and hours of other features in the order of the day. */
export function byStart<Hour extends { startsAt: string }>(hours: readonly Hour[]): Hour[] {
  return hours.toSorted((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt))
}
