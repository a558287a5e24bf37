import type { Random } from './random.ts'
import type { DemoAppointmentType, DemoScheduleHour } from './types.ts'

/** The working week of a practitioner. `closed` has no hours, `always` has some on every day but Sunday. */
export type WeekPattern =
  | 'always'
  | 'office'
  | 'mornings'
  | 'school'
  | 'evenings'
  | 'weekend'
  | 'few'
  | 'mixed'
  | 'closed'

export const weekPatterns: readonly { readonly pattern: WeekPattern; readonly weight: number }[] = [
  { pattern: 'office', weight: 26 },
  { pattern: 'mornings', weight: 9 },
  { pattern: 'school', weight: 11 },
  { pattern: 'evenings', weight: 14 },
  { pattern: 'weekend', weight: 10 },
  { pattern: 'few', weight: 10 },
  { pattern: 'mixed', weight: 14 },
  { pattern: 'closed', weight: 6 },
]

/** Hours from `from` up to but without `to`. */
const hours = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const withoutLunch = (list: number[]) => list.filter((hour) => hour !== 13)

/** A weekday (1 is Monday) and the hours offered on it, all from 8 to 21. */
type Day = [weekday: number, hours: number[]]

const workdays = [1, 2, 3, 4, 5]

const weeks: Readonly<Record<WeekPattern, (random: Random) => Day[]>> = {
  always: () => [...workdays.map((day): Day => [day, hours(9, 19)]), [6, hours(10, 14)]],
  office: (random) =>
    random
      .sample(workdays, random.int(4, 5))
      .map((day) => [day, withoutLunch(hours(random.int(8, 10), random.int(16, 18)))]),
  mornings: (random) =>
    random
      .sample(workdays, random.int(3, 5))
      .map((day) => [day, hours(random.int(8, 9), random.int(12, 13))]),
  school: (random) => random.sample(workdays, 4).map((day) => [day, hours(random.int(9, 10), 15)]),
  evenings: (random) =>
    random
      .sample(workdays, random.int(3, 4))
      .map((day) => [day, hours(random.int(16, 18), random.int(21, 22))]),
  weekend(random) {
    const days: Day[] = random
      .sample([2, 3, 4], random.int(1, 2))
      .map((day) => [day, hours(18, random.int(20, 21))])
    days.push([6, hours(random.int(8, 10), random.int(14, 16))])
    if (random.chance(0.4)) days.push([7, hours(10, random.int(13, 15))])
    return days
  },
  few: (random) =>
    random
      .sample(workdays, 2)
      .map((day) => [day, withoutLunch(hours(random.int(9, 11), random.int(14, 18)))]),
  mixed: (random) =>
    random
      .sample(workdays, random.int(3, 5))
      .map((day) => [day, random.pick([hours(9, 13), hours(random.int(12, 14), 19), hours(17, 21)])]),
  closed: () => [],
}

/** The weekly hours, each day in the formats that the practitioner offers; in rooms by `locationIndex`. */
export function weeklySchedule(
  pattern: WeekPattern,
  offers: { readonly online: boolean; readonly rooms: number },
  random: Random,
): DemoScheduleHour[] {
  const week = weeks[pattern](random)
  const both = offers.online && offers.rooms > 0
  const schedule: DemoScheduleHour[] = []
  for (const [position, [weekday, list]] of week.entries()) {
    const formats: DemoAppointmentType[] = []
    // The first two days settle that nothing that is offered is without an hour.
    const inRoom = both
      ? position === 0
        ? true
        : position === 1
          ? false
          : random.chance(0.5)
      : offers.rooms > 0
    if (inRoom) formats.push('face_to_face')
    if (offers.online && (!inRoom || (both && random.chance(0.3)))) formats.push('online')
    const locationIndex = offers.rooms > 0 ? position % offers.rooms : 0
    for (const hour of list) {
      for (const appointmentType of formats) {
        schedule.push({
          weekday,
          hour,
          appointmentType,
          locationIndex: appointmentType === 'online' ? null : locationIndex,
        })
      }
    }
  }
  return schedule
}
