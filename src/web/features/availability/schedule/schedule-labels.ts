import type {
  DayRecord,
  Outside,
  Schedule,
  ScheduledSession,
  TimeOff,
} from '#contract/availability/schedule.ts'
import type { WeekName } from '#contract/common.ts'
import { addDays, formatDay } from '#web/lib/time.ts'
import { timeText } from './schedule-draft.ts'

export const dayNames: Record<WeekName, { short: string; long: string }> = {
  Mon: { short: 'Mon', long: 'Monday' },
  Tue: { short: 'Tue', long: 'Tuesday' },
  Wed: { short: 'Wed', long: 'Wednesday' },
  Thr: { short: 'Thu', long: 'Thursday' },
  Fri: { short: 'Fri', long: 'Friday' },
  Sut: { short: 'Sat', long: 'Saturday' },
  Sun: { short: 'Sun', long: 'Sunday' },
}

const formats = { online: 'online', face_to_face: 'face-to-face' }

type SavedWeek = { schedule: readonly DayRecord[]; unfit?: Schedule['unfit'] }

/** What a saved week means for clients. `isListed`: whether they find the profile; undefined while unknown. */
export function savedLabel(saved: SavedWeek, isListed: boolean | undefined): string {
  const offered = (['online', 'face_to_face'] as const).filter((format) =>
    saved.schedule.some((day) => day[format].length > 0),
  )
  const unfit = unfitLabel(saved)
  const [first, ...others] = offered.filter((format) => !saved.unfit?.includes(format))
  if (!first) return unfit ?? 'Clients cannot book any hours for now.'
  const which = unfit && others.length === 0 ? `your ${formats[first]}` : 'these'
  const label =
    isListed === undefined
      ? 'Your hours are saved.'
      : isListed
        ? `Clients can book ${which} hours from now on.`
        : `Clients can book ${which} hours once they can find your profile.`
  return unfit ? `${label} ${unfit}` : label
}

/** Into which hours of a saved week no session fits, with a way out; undefined where one fits into each format's. */
export function unfitLabel({ unfit = [] }: Pick<SavedWeek, 'unfit'>): string | undefined {
  const [format, ...others] = unfit
  if (!format) return undefined
  const name = others.length === 0 ? `${formats[format]} ` : ''
  const place = unfit.includes('face_to_face') ? ' at one place' : ''
  return `No ${name}session that you offer fits into your ${name}hours, so clients cannot book them. Offer one that does, or save more hours in a row${place}.`
}

/** `08:00 — 09:00`. */
export function slotLabel(timeslot: string): string {
  return `${timeslot} — ${hourAfter(timeslot)}`
}

const hourAfter = (timeslot: string) => timeText(Number(timeslot.slice(0, 2)) + 1)

export type HoursRun = { from: string; to: string; locationId: number | null }

/** Slots that follow each other at one place, taken together: 09:00 to 12:00. */
export function runsOf(slots: DayRecord['online']): HoursRun[] {
  const runs: HoursRun[] = []
  for (const { timeslot, location_id } of slots) {
    const last = runs.at(-1)
    if (last && last.to === timeslot && last.locationId === location_id) last.to = hourAfter(timeslot)
    else runs.push({ from: timeslot, to: hourAfter(timeslot), locationId: location_id })
  }
  return runs
}

const statusLabels: Record<ScheduledSession['status'], string | undefined> = {
  reserved: 'Not paid yet',
  confirmed: undefined,
  completed: 'Completed',
  no_show: 'Client did not come',
}

/** How a session of the week stands; undefined for one that is simply booked. */
export const scheduledLabel = ({ status, frozen }: Pick<ScheduledSession, 'status' | 'frozen'>) =>
  frozen ? 'Being checked' : statusLabels[status]

/** Why a session lies outside what is offered now. */
export const outsideLabels: Record<Outside, string> = {
  hours: 'Outside your hours',
  place: 'At a different place from your hours',
  time_off: 'In your time off',
}

/** `1 hour`, `2 days`, `90 minutes`. */
export function minutesLabel(minutes: number): string {
  const [count, unit] =
    minutes >= 2880 && minutes % 1440 === 0
      ? [minutes / 1440, 'day']
      : minutes >= 60 && minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Days and hours off, as they were written. */
export function timeOffLabel(timeOff: TimeOff, today: string): string {
  const { first_day, last_day, from_time, to_time } = timeOff
  const first = dayLabel(first_day, today)
  const last = dayLabel(last_day, today)
  if (first_day === last_day) {
    if (from_time === null && to_time === null) return first
    return `${first}, ${from_time ?? '00:00'} to ${to_time ?? '24:00'}`
  }
  const from = from_time === null ? first : `${first}, ${from_time}`
  return `${from} to ${last}${to_time === null ? '' : `, ${to_time}`}`
}

/** The part of a day that is off; nothing where it is the whole day. */
export function partOffLabel(
  { first_day, last_day, from_time, to_time }: TimeOff,
  day: string,
): string | undefined {
  const from = first_day === day ? from_time : null
  const to = last_day === day ? to_time : null
  if (from === null && to === null) return undefined
  if (from === null) return `until ${to}`
  return to === null ? `from ${from}` : `${from} to ${to}`
}

/** `1 to 7 June`, `29 June to 5 July`. */
export function weekLabel(monday: string): string {
  const [first, last] = [monday, addDays(monday, 6)].map((day) => {
    const [, month = ''] = formatDay(noon(day), 'UTC', noon(day)).split(/ \d+ /)
    return { number: Number(day.slice(8)), month }
  })
  if (!first || !last) return ''
  const from = first.month === last.month ? `${first.number}` : `${first.number} ${first.month}`
  return `${from} to ${last.number} ${last.month}`
}

/** Wednesday 4 March; with the year where it is not that of `today`. */
export const dayLabel = (day: string, today: string) => formatDay(noon(day), 'UTC', noon(today))

const noon = (day: string) => `${day}T12:00:00Z`
