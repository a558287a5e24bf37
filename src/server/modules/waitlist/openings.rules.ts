import type { AppointmentType } from '#contract/common.ts'
import { days, hours, minutes } from '../../clock.ts'

type Durations = Partial<Record<AppointmentType, number>>
/** From `from` to before `to`, epoch milliseconds. */
type Range = { from: number; to: number }

/** A session that could be booked. Epoch milliseconds. */
type Slot = {
  startsAt: number
  endsAt: number
  appointmentType: AppointmentType
  locationId: number | null
}

/** What a practitioner could be booked for, as `freeTimes` of availability finds it. */
export type Times = {
  services: readonly { appointment_type: AppointmentType; duration_minutes: number }[]
  range: Range
  free(durations?: Durations, wanted?: Range): Slot[]
  freeBeside(slot: Slot, wanted: Range, durations: Durations): Slot[]
}

/** The longest session of each format that can begin at a start, in minutes; 0 for none. */
export type Longest = Record<AppointmentType, number>

/** What can begin at a start that is not free. */
export const noSession: Longest = { online: 0, face_to_face: 0 }

/** What can begin at the free starts of a practitioner, by the start in minutes since 1970, in order of time. */
export type Openings = ReadonlyMap<number, Longest>

/** As the snapshot stores an opening: the start, and the longest session online and face to face. */
export type StoredOpening = readonly [start: number, online: number, faceToFace: number]

/** The openings of the next 60 days. */
export function openingsOf(times: Times): Openings {
  const range = { from: times.range.from, to: times.range.from + days(60) }
  return longestOf(times.services, (durations) => times.free(durations, range))
}

/** The openings once a slot is taken. */
export function openingsBeside(times: Times, openings: Openings, slot: Slot): Openings {
  const around = nearby(slot.startsAt, slot.endsAt)
  const near = longestOf(times.services, (durations) => times.freeBeside(slot, around, durations))
  return limited(openings, near, [around])
}

/**
 * The openings of a snapshot, of which those near some times last no longer than they do now. Without `times`, when the
 * practitioner is not listed, there are none near them.
 */
export function openingsAfter(
  openings: Openings,
  taken: readonly { from: Date; to: Date }[],
  times: Times | undefined,
): Openings {
  const ranges = taken.map(({ from, to }) => nearby(from.getTime(), to.getTime()))
  const freeIn = (range: Range) =>
    times ? [...longestOf(times.services, (durations) => times.free(durations, range))] : []
  return limited(openings, new Map(ranges.flatMap(freeIn)), ranges)
}

/** What can begin now and could not at the last look, with what could. */
export function newOpenings(
  openings: Openings,
  before: Openings | undefined,
): { start: number; known: Longest }[] {
  return [...openings].flatMap(([start, { online, face_to_face: inPerson }]) => {
    const known = before?.get(start) ?? noSession
    return online > known.online || inPerson > known.face_to_face ? [{ start, known }] : []
  })
}

/** The openings as they are, except that some starts stay as they were at an earlier look. */
export function keepingOld(
  openings: Openings,
  old: Openings | undefined,
  starts: Iterable<number>,
): Openings {
  const kept = new Map(openings)
  for (const start of starts) {
    const longest = old?.get(start)
    if (longest) kept.set(start, longest)
    else kept.delete(start)
  }
  return kept
}

/** The openings of a stored snapshot. What an earlier release has stored names the starts alone: each fits any session. */
export function fromSnapshot(snapshot: { starts: number[]; openings: StoredOpening[] | null }): Openings {
  const { starts, openings } = snapshot
  const isCurrent =
    openings?.length === starts.length && openings.every(([start], index) => start === starts[index])
  if (!isCurrent) return new Map(starts.map((start) => [start, anything]))
  return new Map(openings.map(([start, online, inPerson]) => [start, { online, face_to_face: inPerson }]))
}

/** A snapshot as it is stored. */
export function toSnapshot(openings: Openings): { starts: number[]; openings: StoredOpening[] } {
  const inOrder = [...openings].sort(([one], [other]) => one - other)
  return {
    starts: inOrder.map(([start]) => start),
    openings: inOrder.map(([start, longest]) => [start, longest.online, longest.face_to_face]),
  }
}

/** Longer than any session, and kept as it is by JSON. */
const anything: Longest = { online: 100_000, face_to_face: 100_000 }

/** Where what can begin may depend on a session at a time: the longest session and its pauses lie within. */
const nearby = (from: number, to: number): Range => ({ from: from - hours(6), to: to + hours(2) })

function limited(openings: Openings, now: Openings, ranges: readonly Range[]): Openings {
  const result = new Map<number, Longest>()
  for (const [start, known] of openings) {
    const at = start * minutes(1)
    if (!ranges.some(({ from, to }) => from <= at && at < to)) {
      result.set(start, known)
      continue
    }
    const longest = now.get(start)
    if (!longest) continue
    const online = Math.min(known.online, longest.online)
    const inPerson = Math.min(known.face_to_face, longest.face_to_face)
    if (online > 0 || inPerson > 0) result.set(start, { online, face_to_face: inPerson })
  }
  return result
}

/** The longest sessions among some free slots, which are asked for once for each length from the shortest on. */
function longestOf(
  services: Times['services'],
  free: (durations: Durations) => readonly Slot[],
): Map<number, Longest> {
  const online = lengthsOf(services, 'online')
  const inPerson = lengthsOf(services, 'face_to_face')
  const found = new Map<number, Longest>()
  for (let index = 0; index < Math.max(online.length, inPerson.length); index++) {
    const durations: Durations = {}
    if (online[index] !== undefined) durations.online = online[index]
    if (inPerson[index] !== undefined) durations.face_to_face = inPerson[index]
    for (const { startsAt, appointmentType } of free(durations)) {
      const start = startsAt / minutes(1)
      found.set(start, {
        ...(found.get(start) ?? noSession),
        [appointmentType]: durations[appointmentType] ?? 0,
      })
    }
  }
  return found
}

/** The different lengths of a format's services in minutes, the shortest first. */
function lengthsOf(services: Times['services'], type: AppointmentType): number[] {
  const lengths = services.flatMap((each) => (each.appointment_type === type ? [each.duration_minutes] : []))
  return [...new Set(lengths)].sort((one, other) => one - other)
}
