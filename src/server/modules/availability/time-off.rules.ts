import type { TimeOffSent } from '#contract/availability/schedule.ts'
import { dayNumber, days, dayText, minuteOf } from '../../clock.ts'
import type { Busy } from './availability.rules.ts'
import { localDay, localText, startOfDay, type Zone } from './zone.ts'

const minute = 60_000
const day = 86_400_000

/** The latest last day of time off, counted from now. */
const furthest = days(3 * 366)
/** The earliest first day of time off, counted back from now. */
const maxAgeMs = days(5 * 366)

export type Refusal = { field: 'first_day' | 'last_day' | 'from_time' | 'to_time'; message: string }

/**
 * Converts time off to instants, or returns the field that is invalid and why. A time that the clocks skip becomes the
 * first one after it. Where a time occurs twice, the time off starts at its first occurrence or ends at its second.
 */
export function rangeOf(sent: TimeOffSent, zone: Zone, now: number): Busy | Refusal {
  const { first_day, from_time, to_time } = sent
  const last_day = sent.last_day ?? first_day
  if (last_day < first_day) {
    return { field: 'last_day', message: 'The last day is before the first one.' }
  }
  if (dayNumber(last_day) * day > now + furthest) {
    return { field: 'last_day', message: 'Choose days within the next three years.' }
  }
  const from =
    from_time == null
      ? startOfDay(zone, dayNumber(first_day))
      : instantAt(zone, localOf(first_day, from_time), 'first')
  const to =
    to_time == null
      ? startOfDay(zone, dayNumber(last_day) + 1)
      : instantAt(zone, localOf(last_day, to_time), 'last')
  if (to <= now) {
    return {
      field: to_time == null ? 'last_day' : 'to_time',
      message: 'That is in the past. Choose a time in the future.',
    }
  }
  if (dayNumber(first_day) * day < now - maxAgeMs) {
    return { field: 'first_day', message: 'Choose days of the past five years or later.' }
  }
  if (to <= from) return { field: 'to_time', message: 'The end is not after the beginning.' }
  return { from, to }
}

/** Converts time off to local days and clock times; a time is null where the range begins or ends with the day. */
export function toLocal({ from, to }: Busy, zone: Zone) {
  const [firstDay = '', fromTime = ''] = localText(zone, from).split(' ')
  const [endDay = '', toTime = ''] = localText(zone, to).split(' ')
  const startsWithDay = from === startOfDay(zone, localDay(zone, from))
  const endsWithDay = to === startOfDay(zone, localDay(zone, to))
  return {
    first_day: firstDay,
    last_day: endsWithDay ? dayText(dayNumber(endDay) - 1) : endDay,
    from_time: startsWithDay ? null : fromTime,
    to_time: endsWithDay ? null : toTime,
  }
}

/** Converts a range to the same local days and hours in another zone. */
export function moveTo(range: Busy, oldZone: Zone, newZone: Zone): Busy {
  const moved = (instant: number, which: 'first' | 'last') =>
    instantAt(newZone, instant + oldZone.offsetAt(instant), which)
  const from = moved(range.from, 'first')
  // A short range can vanish where the clocks go forward in one zone alone; keep at least a minute.
  return { from, to: Math.max(moved(range.to, 'last'), from + minute) }
}

const localOf = (date: string, time: string) => dayNumber(date) * day + minuteOf(time) * minute

function instantAt(zone: Zone, local: number, which: 'first' | 'last'): number {
  for (let wanted = local; wanted < local + day; wanted += minute) {
    const instant = which === 'first' ? zone.instantsOf(wanted)[0] : zone.instantsOf(wanted).at(-1)
    if (instant !== undefined) return instant
  }
  return local - zone.offsetAt(local)
}
