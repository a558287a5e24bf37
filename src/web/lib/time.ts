import { zoneCity, zoneTime } from '#contract/zone-names.ts'

/** An instant: ISO 8601 with offset, epoch milliseconds, or a Date. */
export type InstantLike = string | number | Date

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formatters are dear to make, so each is made once. */
function formatter(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone}|${JSON.stringify(options)}`
  let known = formats.get(key)
  if (!known) {
    known = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone })
    formats.set(key, known)
  }
  return known
}

/** The zone of this device. On the server there is no viewer, and London stands in. */
export function viewerZone(): string {
  return typeof window === 'undefined' ? 'Europe/London' : Intl.DateTimeFormat().resolvedOptions().timeZone
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

type Parts = Record<'weekday' | 'day' | 'month' | 'year' | 'hour' | 'minute', string>

const partsByMinute = new Map<string, Parts>()
const maxCachedMinutes = 5000

/** An instant in words and figures, to the minute. A list shows the same hours over and over, so they are remembered. */
function partsIn(zone: string, instant: InstantLike): Parts {
  const minute = Math.floor(new Date(instant).getTime() / 60_000)
  const key = `${minute}|${zone}`
  const known = partsByMinute.get(key)
  if (known) return known
  const parts = partsOf(
    formatter(zone, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
    new Date(minute * 60_000),
  ) as Parts
  if (partsByMinute.size >= maxCachedMinutes) partsByMinute.clear()
  partsByMinute.set(key, parts)
  return parts
}

/** Wednesday 4 March; with the year where it is not that of `now`. */
export function formatDay(instant: InstantLike, zone: string, now: InstantLike = Date.now()): string {
  const { weekday, day, month, year } = partsIn(zone, instant)
  const isThisYear = year === partsIn(zone, now).year
  return `${weekday} ${day} ${month}${isThisYear ? '' : ` ${year}`}`
}

/** Wed 4 Mar. */
export function formatShortDay(instant: InstantLike, zone: string): string {
  const parts = partsOf(
    formatter(zone, { weekday: 'short', day: 'numeric', month: 'short' }),
    new Date(instant),
  )
  return `${parts.weekday} ${parts.day} ${parts.month}`
}

/** 14:00. */
export function formatTime(instant: InstantLike, zone: string): string {
  const { hour, minute } = partsIn(zone, instant)
  return `${hour}:${minute}`
}

/** Wednesday 4 March, 14:00. */
export function formatDayAndTime(instant: InstantLike, zone: string, now?: InstantLike): string {
  return `${formatDay(instant, zone, now)}, ${formatTime(instant, zone)}`
}

/** 14:00 to 14:50. */
export function formatTimeRange(start: InstantLike, end: InstantLike, zone: string): string {
  return `${formatTime(start, zone)} to ${formatTime(end, zone)}`
}

/** `at 10:00`, or `on Tuesday 16 June at 10:00` where that is not the day of `now`. */
export function atTime(instant: InstantLike, zone: string, now: InstantLike): string {
  const day = dayIn(instant, zone) === dayIn(now, zone) ? '' : `on ${formatDay(instant, zone, now)} `
  return `${day}at ${formatTime(instant, zone)}`
}

/** YYYY-MM-DD of an instant in a zone. */
export function dayIn(instant: InstantLike, zone: string): string {
  const { year, month, day } = partsIn(zone, instant)
  return `${year}-${String(months.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** Whether a text is a day that there is, `2026-02-28`. */
export function isDay(text: string | null | undefined): text is string {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(text)
  // A day that no month has is read as one of the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** The day some days later, or earlier: `2026-03-01` is one after `2026-02-28`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

/**
 * The instant at which the clocks of a zone show a local time, `2026-06-08T10:00`; undefined for anything else. Of a time
 * that is there twice, the first; one that is left out is moved on by what the clocks go forward.
 */
export function instantAt(local: string, zone: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local)) return undefined
  const asUtc = Date.parse(`${local}:00Z`)
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(local)) return undefined
  const offsetAt = (instant: number) =>
    Date.parse(`${dayIn(instant, zone)}T${formatTime(instant, zone)}:00Z`) - instant
  const day = 86_400_000
  const [before, after] = [offsetAt(asUtc - day), offsetAt(asUtc + day)]
  const first = asUtc - before
  return new Date(
    offsetAt(first) === before ? first : offsetAt(asUtc - after) === after ? asUtc - after : first,
  )
}

/** 'Greenwich Mean Time', 'Eastern Daylight Time': the zone's name at that instant. */
export function zoneName(zone: string, instant: InstantLike = Date.now()): string {
  return partsOf(formatter(zone, { timeZoneName: 'long' }), new Date(instant)).timeZoneName ?? zone
}

/** The words that name the time zone of a time. Undefined if both zones show the same time at that instant. */
export function zoneNote(instant: InstantLike, zone: string, otherZone: string): string | undefined {
  const same = formatDayAndTime(instant, zone, instant) === formatDayAndTime(instant, otherZone, instant)
  return same ? undefined : `${zoneTime(zone)}, ${zoneName(zone, instant)}`
}

export type OtherClock = { whose: string; zone: string | null | undefined }

/**
 * How others read the time of a session, `{ whose, time: '09:00 to 09:50', place: 'New York' }`; with the
 * day where it is another one. Clocks that show the same as `zone`, or as one before them, are left out.
 */
export function otherClocks(
  { startsAt, endsAt }: { startsAt: InstantLike; endsAt?: InstantLike },
  zone: string,
  others: readonly OtherClock[],
): { whose: string; time: string; place: string }[] {
  const shown = new Set([formatDayAndTime(startsAt, zone, startsAt)])
  return others.flatMap(({ whose, zone: theirs }) => {
    if (!theirs) return []
    const known = formatDayAndTime(startsAt, theirs, startsAt)
    if (shown.has(known)) return []
    shown.add(known)
    const hours =
      endsAt === undefined ? formatTime(startsAt, theirs) : formatTimeRange(startsAt, endsAt, theirs)
    const isOtherDay = dayIn(startsAt, theirs) !== dayIn(startsAt, zone)
    const time = isOtherDay ? `${formatDay(startsAt, theirs, startsAt)}, ${hours}` : hours
    return [{ whose, time, place: zoneCity(theirs) }]
  })
}

/** 'New York, Eastern Daylight Time'. */
export const clockPlace = (zone: string, instant: InstantLike) =>
  `${zoneCity(zone)}, ${zoneName(zone, instant)}`

function partsOf(
  format: Intl.DateTimeFormat,
  date: Date,
): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  return Object.fromEntries(format.formatToParts(date).map((part) => [part.type, part.value]))
}
