import type { AppointmentType } from '#contract/common.ts'
import { hours, minutes, weekdayOf } from '../../clock.ts'
import { localDay, type Zone, zoneOf } from './zone.ts'

/** An hour of the weekly schedule in the practitioner's own zone: `hour` 9 is 09:00 to 10:00. Monday is 1. */
export type WeeklyHour = {
  weekday: number
  hour: number
  appointment_type: AppointmentType
  location_id: number | null
}

/** Time that a reservation, time off or a connected calendar blocks: from `from` to before `to`, epoch milliseconds. */
export type Busy = { from: number; to: number }

/** A start that can be booked. Epoch milliseconds. */
export type FreeSlot = {
  startsAt: number
  endsAt: number
  appointmentType: AppointmentType
  locationId: number | null
}

type Question = {
  zone: Zone
  schedule: readonly WeeklyHour[]
  busy: readonly Busy[]
  /** Starts from here … */
  from: number
  /** … up to but without here. */
  to: number
  /** How long the session lasts, by format; a format that is missing is not offered. */
  durations: Partial<Record<AppointmentType, number>>
}

/** Shortest lead time that a practitioner can set. */
export const minLeadTimeMs = hours(1)
/** How far outside a range a session can lie and still block a time within it. */
export const maxPauseMs = minutes(60)
/** Sessions can be booked this many days ahead. */
export const horizonDays = 60

const hour = hours(1)
const day = 24 * hour

/** The range of bookable starts at `now` with a practitioner's lead time; `to` is exclusive. */
export function bookableRange(now: number, leadTimeMinutes: number): { from: number; to: number } {
  return {
    from: now + Math.max(minLeadTimeMs, minutes(leadTimeMinutes)),
    to: now + minLeadTimeMs + horizonDays * day,
  }
}

/**
 * Widens each session by the pause on both sides, since the next session needs it before its start and the previous one
 * after its end. Time off needs no pause.
 */
export function withPause(
  taken: readonly (Busy & { reservationId: string | null })[],
  pauseMinutes: number,
): Busy[] {
  const pause = minutes(pauseMinutes)
  return taken.map(({ from, to, reservationId }) =>
    reservationId === null ? { from, to } : { from: from - pause, to: to + pause },
  )
}

/**
 * Every free start in a range, in order of time. A start is a scheduled hour that exists on the clocks of that day; an
 * hour that happens twice is offered at its first. A session longer than an hour needs the hours after it in the same
 * format and place, without a gap, and nothing may overlap it.
 */
export function freeSlots({ zone, schedule, busy, from, to, durations }: Question): FreeSlot[] {
  if (to <= from) return []
  const taken = [...busy].sort((a, b) => a.from - b.from)
  const longestMs = Math.max(0, ...Object.values(durations)) * 60_000
  const byWeekday = groupByWeekday(schedule)
  const found: FreeSlot[] = []
  // Hours before the range may not start in it, and hours after it may be needed by a session that does.
  const opened = openHours(zone, byWeekday, localDay(zone, from), localDay(zone, to + longestMs))
  for (const [index, start] of opened.entries()) {
    if (start.at < from || start.at >= to) continue
    const duration = durations[start.type]
    if (duration === undefined) continue
    const endsAt = start.at + minutes(duration)
    if (!covered(opened, index, endsAt) || overlaps(taken, start.at, endsAt)) continue
    found.push({ startsAt: start.at, endsAt, appointmentType: start.type, locationId: start.locationId })
  }
  return found
}

type OpenHour = { at: number; type: AppointmentType; locationId: number | null }

function groupByWeekday(schedule: readonly WeeklyHour[]): WeeklyHour[][] {
  const days: WeeklyHour[][] = [[], [], [], [], [], [], [], []]
  for (const entry of schedule) days[entry.weekday]?.push(entry)
  return days
}

/** The scheduled hours of some local days as instants, in order of time. */
function openHours(zone: Zone, byWeekday: WeeklyHour[][], firstDay: number, lastDay: number): OpenHour[] {
  const opened: OpenHour[] = []
  for (let localDate = firstDay; localDate <= lastDay; localDate++) {
    for (const entry of byWeekday[weekdayOf(localDate)] ?? []) {
      const [at] = zone.instantsOf(localDate * day + entry.hour * hour)
      if (at !== undefined) opened.push({ at, type: entry.appointment_type, locationId: entry.location_id })
    }
  }
  return opened.sort((a, b) => a.at - b.at || (a.type < b.type ? 1 : -1))
}

/** Whether hours of one format and place follow each other from `opened[index]` to `endsAt`. */
function covered(opened: OpenHour[], index: number, endsAt: number): boolean {
  const first = opened[index]
  if (!first) return false
  let until = first.at + hour
  for (let next = index + 1; until < endsAt; next++) {
    const candidate = opened[next]
    if (!candidate || candidate.at > until) return false
    if (candidate.type !== first.type || candidate.locationId !== first.locationId) continue
    if (candidate.at === until) until += hour
  }
  return true
}

/** Whether one of some ranges, in order of their beginnings, overlaps. */
export function overlaps(taken: readonly Busy[], from: number, to: number): boolean {
  for (const range of taken) {
    if (range.from >= to) return false
    if (range.to > from) return true
  }
  return false
}

type TakenRange = Busy & { reservationId: string | null }

/**
 * The slot of a wanted start, ignoring reservations. `isTooClose`: a session other than `own` lies within the pause. The
 * database constraint enforces the pause at the time of each booking; this check enforces the current one.
 */
export function offeredSlot({
  zone,
  schedule,
  taken,
  pauseMinutes,
  range,
  wanted,
  own,
}: {
  zone: Zone
  schedule: readonly WeeklyHour[]
  taken: readonly TakenRange[]
  pauseMinutes: number
  /** Of bookable starts. */
  range: { from: number; to: number }
  wanted: {
    startsAt: number
    durationMinutes: number
    appointmentType: AppointmentType
    /** Checked when given. */
    locationId?: number | null
  }
  own?: string | undefined
}): { slot: FreeSlot; isTooClose: boolean } | 'not offered' | 'away' {
  const { startsAt: from, durationMinutes, appointmentType, locationId } = wanted
  if (from < range.from || from >= range.to) return 'not offered'
  const durations = { [appointmentType]: durationMinutes }
  const [slot] = freeSlots({ zone, schedule, busy: [], from, to: from + 1, durations })
  if (!slot || (locationId != null && slot.locationId !== locationId)) return 'not offered'
  const inOrder = [...taken].sort((a, b) => a.from - b.from)
  const timeOff = inOrder.filter(({ reservationId }) => reservationId === null)
  if (overlaps(timeOff, from, slot.endsAt)) return 'away'
  const others = inOrder.filter(({ reservationId }) => reservationId !== null && reservationId !== own)
  return { slot, isTooClose: overlaps(withPause(others, pauseMinutes), from, slot.endsAt) }
}

/** A practitioner's free time as the search indexes it. */
export type Outlook = {
  nextFree: Record<AppointmentType, Date | null>
  /** Days with a free start, as days since 1970-01-01 in `viewer`. */
  freeDays: Record<AppointmentType, number[]>
  /** The first few free starts, in order of time. */
  nextStarts: Record<AppointmentType, Date[]>
  /** Until when the outlook stays correct without a booking, a cancellation or a change of the schedule. */
  freshUntil: Date
}

/** How many of its next starts an outlook names, by format. */
const startsOfOutlook = 4

type OutlookQuestion = Omit<Question, 'from' | 'to'> & {
  now: number
  leadTimeMinutes: number
  /** The zone that days are counted in. */
  viewer: Zone
  /** Expiry of the holds that count as busy, epoch milliseconds. */
  holdsEnd: readonly number[]
}

/** The next 60 days of a practitioner, summed up. */
export function outlookOf({ now, leadTimeMinutes, viewer, holdsEnd, ...question }: OutlookQuestion): Outlook {
  const range = bookableRange(now, leadTimeMinutes)
  const outlook: Outlook = {
    nextFree: { online: null, face_to_face: null },
    freeDays: { online: [], face_to_face: [] },
    nextStarts: { online: [], face_to_face: [] },
    freshUntil: new Date(now + day),
  }
  let fresh = Math.min(now + day, ...holdsEnd)
  // Starts beyond the range become bookable while the outlook is fresh.
  for (const slot of freeSlots({ ...question, from: range.from, to: range.to + day })) {
    const type = slot.appointmentType
    const starts = outlook.nextStarts[type]
    const days = outlook.freeDays[type]
    const date = localDay(viewer, slot.startsAt)
    if (slot.startsAt >= range.to) {
      if (starts.length === startsOfOutlook && days.at(-1) === date) continue
      fresh = Math.min(fresh, slot.startsAt - (range.to - now) + 1)
      break
    }
    if (outlook.nextFree[type] === null) {
      outlook.nextFree[type] = new Date(slot.startsAt)
      // Once the lead time no longer covers this start, the next free start is a later one.
      fresh = Math.min(fresh, slot.startsAt - (range.from - now) + 1)
    }
    if (starts.length < startsOfOutlook) starts.push(new Date(slot.startsAt))
    if (days.at(-1) !== date) days.push(date)
  }
  outlook.freshUntil = new Date(fresh)
  return outlook
}

/** What a practitioner offers; the length in minutes. */
export type BookableService = {
  service_id: number
  appointment_type: AppointmentType
  duration_minutes: number
}

/** The shortest service of each format, the first listed of equals. */
type ShortestServices = Partial<Record<AppointmentType, BookableService>>

export function shortestServices(
  services: readonly BookableService[],
  serviceId?: number,
  appointmentType?: AppointmentType,
): ShortestServices {
  const shortest: ShortestServices = {}
  for (const service of services) {
    if (serviceId !== undefined && service.service_id !== serviceId) continue
    const type = service.appointment_type
    if (appointmentType !== undefined && type !== appointmentType) continue
    const known = shortest[type]
    if (!known || service.duration_minutes < known.duration_minutes) shortest[type] = service
  }
  return shortest
}

/** How long the shortest service of each format lasts, in minutes. */
export function durationsOf(
  ...question: Parameters<typeof shortestServices>
): Partial<Record<AppointmentType, number>> {
  const { online, face_to_face: inPerson } = shortestServices(...question)
  return {
    ...(online && { online: online.duration_minutes }),
    ...(inPerson && { face_to_face: inPerson.duration_minutes }),
  }
}

/**
 * The formats of scheduled hours in which not even the shortest session fits; none while no session is offered at all. Time
 * that is taken does not count, nor do changes of the clocks.
 */
export function unfitFormats(
  schedule: readonly WeeklyHour[],
  services: readonly BookableService[],
): AppointmentType[] {
  if (services.length === 0) return []
  const durations = durationsOf(services)
  const slots = freeSlots({ zone: zoneOf('UTC'), schedule, busy: [], from: 0, to: 7 * day, durations })
  return (['online', 'face_to_face'] as const).filter(
    (type) =>
      schedule.some((each) => each.appointment_type === type) &&
      !slots.some((slot) => slot.appointmentType === type),
  )
}

/** An outlook, with the services that its starts are long enough for. */
export type PractitionerOutlook = Outlook & { services: ShortestServices }
