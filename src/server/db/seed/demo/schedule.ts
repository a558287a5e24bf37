import type { Random } from './random.ts'
import type { DemoAppointmentType, DemoScheduleHour } from './types.ts'

/** How somebody spends the week; `closed` offers nothing, `always` something on every day but Sunday. */
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

/** Weekday (1 is Monday) and the hours offered on it, all from 8 to 21. */
function weekOf(pattern: WeekPattern, random: Random): [weekday: number, hours: number[]][] {
  const days = (list: readonly number[], count: number) => random.sample(list, count)
  const workdays = [1, 2, 3, 4, 5]
  switch (pattern) {
    case 'office':
      return days(workdays, random.int(4, 5)).map((day) => [
        day,
        withoutLunch(hours(random.int(8, 10), random.int(16, 18))),
      ])
    case 'mornings':
      return days(workdays, random.int(3, 5)).map((day) => [day, hours(random.int(8, 9), random.int(12, 13))])
    case 'school':
      return days(workdays, 4).map((day) => [day, hours(random.int(9, 10), 15)])
    case 'evenings':
      return days(workdays, random.int(3, 4)).map((day) => [
        day,
        hours(random.int(16, 18), random.int(21, 22)),
      ])
    case 'weekend':
      return [
        ...days([2, 3, 4], random.int(1, 2)).map((day): [number, number[]] => [
          day,
          hours(18, random.int(20, 21)),
        ]),
        [6, hours(random.int(8, 10), random.int(14, 16))],
        ...(random.chance(0.4) ? [[7, hours(10, random.int(13, 15))] as [number, number[]]] : []),
      ]
    case 'few':
      return days(workdays, 2).map((day) => [day, withoutLunch(hours(random.int(9, 11), random.int(14, 18)))])
    case 'mixed':
      return days(workdays, random.int(3, 5)).map((day) => {
        const shape = random.int(0, 2)
        if (shape === 0) return [day, hours(9, 13)]
        return [day, shape === 1 ? hours(random.int(12, 14), 19) : hours(17, 21)]
      })
    case 'always':
      return [...workdays.map((day): [number, number[]] => [day, hours(9, 19)]), [6, hours(10, 14)]]
    case 'closed':
      return []
  }
}

/** The weekly hours, each day in the formats that the practitioner offers; in rooms by `locationIndex`. */
export function weeklySchedule(
  pattern: WeekPattern,
  offers: { readonly online: boolean; readonly rooms: number },
  random: Random,
): DemoScheduleHour[] {
  const week = weekOf(pattern, random)
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
