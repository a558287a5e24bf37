import type { AppointmentType } from '#contract/common.ts'
import type { DayRecord } from '#contract/availability/schedule.ts'
import type { WeekName } from '#contract/common.ts'

/** A week as it is being edited: seven records, slots in order of time. Changes make new records. */
export type Draft = readonly DayRecord[]
type Slot = DayRecord['online'][number]

/** As the wire spells them, Monday first. */
export const weekNames = ['Mon', 'Tue', 'Wed', 'Thr', 'Fri', 'Sut', 'Sun'] as const satisfies WeekName[]

/** What From and To can be. */
export const hourOptions = Array.from({ length: 15 }, (_, index) => index + 8)
export const usualRange = { from: 10, to: 19 }
export type HourRange = typeof usualRange

/** 9 as `09:00`. */
export function timeText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

/** The hours from `from` to `to`, each by its start: without the one that begins at `to`. */
export function slotTimes({ from, to }: HourRange): string[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => timeText(from + index))
}

/** The usual hours, widened until every slot of the week is among them. */
export function rangeAround(draft: Draft): HourRange {
  const hours = draft.flatMap((day) =>
    [...day.online, ...day.face_to_face].map((slot) => Number(slot.timeslot.slice(0, 2))),
  )
  return {
    from: Math.min(usualRange.from, ...hours),
    to: Math.max(usualRange.to, ...hours.map((hour) => hour + 1)),
  }
}

export function slotsOf(draft: Draft, day: WeekName, format: AppointmentType): readonly Slot[] {
  return draft.find((record) => record.week_name === day)?.[format] ?? []
}

/** The place that a slot gets by itself: none online, the only one there is face to face. */
export function placeFor(format: AppointmentType, placeIds: readonly number[]): number | null {
  const [only, another] = placeIds
  return format === 'face_to_face' && only !== undefined && another === undefined ? only : null
}

/** Adds those of the times that are not there yet. */
export function addSlots(
  draft: Draft,
  day: WeekName,
  format: AppointmentType,
  times: readonly string[],
  place: number | null,
): Draft {
  return changeSlots(draft, day, format, (slots) => {
    const known = new Set(slots.map((slot) => slot.timeslot))
    const added = [...new Set(times)].filter((timeslot) => !known.has(timeslot))
    return [...slots, ...added.map((timeslot) => ({ timeslot, location_id: place }))]
  })
}

export function removeSlots(
  draft: Draft,
  day: WeekName,
  format: AppointmentType,
  times: readonly string[],
): Draft {
  return changeSlots(draft, day, format, (slots) => slots.filter((slot) => !times.includes(slot.timeslot)))
}

/** Adds the day's online hours to those face to face. */
export function duplicateFromOnline(draft: Draft, day: WeekName, place: number | null): Draft {
  const times = slotsOf(draft, day, 'online').map((slot) => slot.timeslot)
  return addSlots(draft, day, 'face_to_face', times, place)
}

/** Says where the face-to-face hours of a day take place: those given, or all. */
export function setPlace(
  draft: Draft,
  day: WeekName,
  place: number | null,
  times?: readonly string[],
): Draft {
  return changeSlots(draft, day, 'face_to_face', (slots) =>
    slots.map((slot) => (times && !times.includes(slot.timeslot) ? slot : { ...slot, location_id: place })),
  )
}

/** Puts a day's hours, both formats, in the place of those of other days. */
export function copyDay(draft: Draft, from: WeekName, to: readonly WeekName[]): Draft {
  const source = draft.find((record) => record.week_name === from)
  if (!source) return draft
  return draft.map((record) =>
    to.includes(record.week_name) ? { ...source, week_name: record.week_name } : record,
  )
}

/** Face-to-face hours without a place, or at a place that the practitioner no longer has. */
export function withoutPlace(
  draft: Draft,
  placeIds: readonly number[],
): { day: WeekName; timeslot: string }[] {
  return draft.flatMap(({ week_name, face_to_face }) =>
    face_to_face
      .filter((slot) => slot.location_id === null || !placeIds.includes(slot.location_id))
      .map(({ timeslot }) => ({ day: week_name, timeslot })),
  )
}

export function isSameWeek(one: Draft, other: Draft): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The hours of a week in which clients can book. One that is offered online and face-to-face counts once. */
export function hoursIn(draft: Draft): number {
  const hoursOf = ({ online, face_to_face }: Draft[number]) =>
    new Set([...online, ...face_to_face].map((slot) => slot.timeslot)).size
  return draft.reduce((sum, day) => sum + hoursOf(day), 0)
}

function changeSlots(
  draft: Draft,
  day: WeekName,
  format: AppointmentType,
  change: (slots: readonly Slot[]) => Slot[],
): Draft {
  return draft.map((record) =>
    record.week_name === day
      ? {
          ...record,
          [format]: change(record[format]).toSorted((a, b) => (a.timeslot < b.timeslot ? -1 : 1)),
        }
      : record,
  )
}
