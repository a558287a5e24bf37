import { type AppointmentType, weekNames } from '#contract/common.ts'
import type { AvailableHours } from '#contract/practitioners/practitioners.ts'
import {
  type DayRecord,
  type DaysSent,
  endHour,
  firstHour,
  type Outside,
} from '#contract/availability/schedule.ts'
import { timeText } from '../../clock.ts'
import { type Busy, type FreeSlot, freeSlots, overlaps, type WeeklyHour } from './availability.rules.ts'
import type { Zone } from './zone.ts'

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Parses `09:00`, `9 : 00 — 10` and `09` as 9. The schema rejects every other form. */
function hourOf(timeslot: string): number {
  return Number.parseInt(timeslot.trim(), 10)
}

const startText = (hour: number) => timeText(hour * 60)

/**
 * Converts the days of a request to the stored week. Drops hours outside the schedulable ones, and duplicates. A
 * face-to-face hour without a place gets the practitioner's only place. `problems` holds a sentence for each
 * face-to-face hour with no place, with two, or with another practitioner's.
 */
export function weekOf(
  days: DaysSent,
  placeIds: readonly number[],
): { hours: WeeklyHour[]; problems: string[] } {
  const hours: WeeklyHour[] = []
  const problems: string[] = []
  for (const { week_name, online, face_to_face } of days) {
    const weekday = weekNames.indexOf(week_name) + 1
    const inOrder = (slots: readonly { timeslot: string }[]) =>
      [...new Set(slots.map((slot) => hourOf(slot.timeslot)))]
        .filter((hour) => hour >= firstHour && hour < endHour)
        .sort((a, b) => a - b)
    for (const hour of inOrder(online)) {
      hours.push({ weekday, hour, appointment_type: 'online', location_id: null })
    }
    for (const hour of inOrder(face_to_face)) {
      const named = face_to_face.flatMap((slot) =>
        hourOf(slot.timeslot) === hour && slot.location_id != null ? [slot.location_id] : [],
      )
      const places = [...new Set(named)]
      const only = placeIds.length === 1 ? placeIds : []
      const [place, another] = places.length > 0 ? places : only
      const when = `${dayNames[weekday - 1]}, ${startText(hour)}`
      if (place === undefined) problems.push(`${when}: choose where you see people.`)
      else if (another !== undefined) problems.push(`${when}: choose one place.`)
      else if (!placeIds.includes(place)) problems.push(`${when}: choose one of your own places.`)
      else hours.push({ weekday, hour, appointment_type: 'face_to_face', location_id: place })
    }
  }
  return { hours, problems }
}

/** Whether two weeks have the same hours, in whichever order. */
export function isSameWeek(one: readonly WeeklyHour[], other: readonly WeeklyHour[]): boolean {
  const keyOf = ({ weekday, hour, appointment_type, location_id }: WeeklyHour) =>
    `${weekday} ${hour} ${appointment_type} ${location_id}`
  const known = new Set(other.map(keyOf))
  return one.length === other.length && one.every((entry) => known.has(keyOf(entry)))
}

/** The seven records of a stored week, those without hours as well. */
export function toDayRecords(hours: readonly WeeklyHour[]): DayRecord[] {
  const inOrder = [...hours].sort((a, b) => a.hour - b.hour)
  const slotsOf = (weekday: number, type: AppointmentType) =>
    inOrder
      .filter((entry) => entry.weekday === weekday && entry.appointment_type === type)
      .map((entry) => ({ timeslot: startText(entry.hour), location_id: entry.location_id }))
  return weekNames.map((week_name, index) => ({
    week_name,
    online: slotsOf(index + 1, 'online'),
    face_to_face: slotsOf(index + 1, 'face_to_face'),
  }))
}

/** The starts of a stored week by weekday. An hour that is offered online and face to face counts once. */
export function toAvailableHours(hours: readonly Pick<WeeklyHour, 'weekday' | 'hour'>[]): AvailableHours {
  const startsOf = (weekday: number) =>
    [...new Set(hours.filter((entry) => entry.weekday === weekday).map(({ hour }) => hour))]
      .sort((a, b) => a - b)
      .map(startText)
  return {
    Mon: startsOf(1),
    Tue: startsOf(2),
    Wed: startsOf(3),
    Thr: startsOf(4),
    Fri: startsOf(5),
    Sut: startsOf(6),
    Sun: startsOf(7),
  }
}

/** Why the schedule no longer offers a session as it was booked; null while it does. */
export function outsideOf(
  session: FreeSlot,
  { zone, schedule, timeOff }: { zone: Zone; schedule: readonly WeeklyHour[]; timeOff: readonly Busy[] },
): Outside | null {
  const { startsAt, endsAt, appointmentType, locationId } = session
  const [slot] = freeSlots({
    zone,
    schedule,
    busy: [],
    from: startsAt,
    to: startsAt + 1,
    durations: { [appointmentType]: (endsAt - startsAt) / 60_000 },
  })
  if (!slot) return 'hours'
  if (slot.locationId !== locationId) return 'place'
  const inOrder = [...timeOff].sort((a, b) => a.from - b.from)
  return overlaps(inOrder, startsAt, endsAt) ? 'time_off' : null
}
