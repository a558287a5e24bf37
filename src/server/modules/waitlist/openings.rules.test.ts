import { describe, expect, test } from 'vitest'
import { hours, minutes } from '../../clock.ts'
import {
  fromSnapshot,
  keepingOld,
  newOpenings,
  type Openings,
  openingsAfter,
  openingsBeside,
  openingsOf,
  type Times,
  toSnapshot,
} from './openings.rules.ts'

const online = (longest: number) => ({ online: longest, face_to_face: 0 })
const openings = (...list: [number, number][]): Openings =>
  new Map(list.map(([start, longest]) => [start, online(longest)]))

describe('new is', () => {
  test('a start that was not free before, and everything at the first look', () => {
    expect(newOpenings(openings([10, 50], [20, 50]), openings([20, 50]))).toEqual([
      { start: 10, known: online(0) },
    ])
    expect(newOpenings(openings([10, 50]), undefined)).toEqual([{ start: 10, known: online(0) }])
  })

  test('a longer session or another format at a start that was free before, with what could begin there', () => {
    expect(newOpenings(openings([10, 80], [20, 50]), openings([10, 50], [20, 80]))).toEqual([
      { start: 10, known: online(50) },
    ])
    const both: Openings = new Map([[10, { online: 50, face_to_face: 50 }]])
    expect(newOpenings(both, openings([10, 80]))).toEqual([{ start: 10, known: online(80) }])
    expect(newOpenings(openings([10, 80]), both)).toEqual([
      { start: 10, known: { online: 50, face_to_face: 50 } },
    ])
  })
})

test('starts that were not looked at stay as they were', () => {
  const now = openings([10, 80], [20, 80], [30, 80])
  expect(keepingOld(now, openings([10, 50]), [10, 20])).toEqual(openings([10, 50], [30, 80]))
})

describe('a snapshot', () => {
  test('reads back as it was stored, in order of time', () => {
    const stored = toSnapshot(openings([20, 50], [10, 80]))
    expect(stored.starts).toEqual([10, 20])
    expect(fromSnapshot(JSON.parse(JSON.stringify(stored)))).toEqual(openings([10, 80], [20, 50]))
  })

  test.each([
    ['without openings', null],
    ['with the openings of fewer starts', [[10, 50, 0]]],
    [
      'with the openings of other starts',
      [
        [10, 50, 0],
        [30, 50, 0],
      ],
    ],
  ] as const)('%s is one of an earlier release, whose starts fit any session', (_, list) => {
    const known = fromSnapshot({ starts: [10, 20], openings: list && [...list] })
    expect([...known.keys()]).toEqual([10, 20])
    expect(newOpenings(openings([10, 480], [20, 480]), known)).toEqual([])
  })
})

describe('with sessions of which the longest that fit are 50 minutes online and 80 face to face', () => {
  const longest = { online: 50, face_to_face: 80 }
  const nine = hours(9)
  const times: Times = {
    services: [
      { appointment_type: 'face_to_face', duration_minutes: 80 },
      { appointment_type: 'online', duration_minutes: 110 },
      { appointment_type: 'online', duration_minutes: 50 },
      { appointment_type: 'face_to_face', duration_minutes: 50 },
    ],
    range: { from: 0, to: hours(24) },
    free: (durations = {}) =>
      (['online', 'face_to_face'] as const).flatMap((appointmentType) => {
        const length = durations[appointmentType]
        if (length === undefined || length > longest[appointmentType]) return []
        return [{ startsAt: nine, endsAt: nine + minutes(length), appointmentType, locationId: null }]
      }),
    freeBeside: () => [],
  }

  test('both are known, in whichever order the services are', () => {
    expect(openingsOf(times)).toEqual(new Map([[540, longest]]))
  })

  test.each([
    [
      { online: 110, face_to_face: 0 },
      { online: 50, face_to_face: 0 },
    ],
    [
      { online: 0, face_to_face: 110 },
      { online: 0, face_to_face: 80 },
    ],
  ])('a snapshot of %o keeps %o, and learns of no other format', (known, kept) => {
    const booked = [{ from: new Date(nine), to: new Date(nine + minutes(50)) }]
    expect(openingsAfter(new Map([[540, known]]), booked, times)).toEqual(new Map([[540, kept]]))
  })
})

test('a start at which only the other format can begin is left out of a snapshot', () => {
  const times: Times = {
    services: [{ appointment_type: 'face_to_face', duration_minutes: 50 }],
    range: { from: 0, to: hours(24) },
    free: () => [
      { startsAt: hours(9), endsAt: hours(10), appointmentType: 'face_to_face', locationId: null },
    ],
    freeBeside: () => [],
  }
  const booked = [{ from: new Date(hours(10)), to: new Date(hours(11)) }]
  expect(openingsAfter(openings([540, 50]), booked, times)).toEqual(new Map())
})

describe('with sessions of 50 and 80 minutes on the hour from 9 to 12', () => {
  const at = (hour: number) => hours(hour)
  const services = [50, 80].map((duration_minutes) => ({
    appointment_type: 'online' as const,
    duration_minutes,
  }))
  /** Free times without the given hours. */
  const timesWithout = (...taken: number[]): Times => ({
    services,
    range: { from: 0, to: at(24) },
    free: ({ online: length = 50 } = {}, { from, to } = { from: 0, to: at(24) }) =>
      [9, 10, 11]
        .filter((hour) => at(hour) >= from && at(hour) < to)
        .filter((hour) =>
          (length > 60 ? [hour, hour + 1] : [hour]).every((each) => each < 12 && !taken.includes(each)),
        )
        .map((hour) => ({
          startsAt: at(hour),
          endsAt: at(hour) + minutes(length),
          appointmentType: 'online',
          locationId: null,
        })),
    freeBeside: (slot, range, durations) =>
      timesWithout(...taken, slot.startsAt / at(1)).free(durations, range),
  })
  const all = openings([540, 80], [600, 80], [660, 50])

  test('the longest is known of each start', () => {
    expect(openingsOf(timesWithout())).toEqual(all)
    expect(openingsOf(timesWithout(10))).toEqual(openings([540, 50], [660, 50]))
  })

  test('a slot that is taken shortens what comes before it', () => {
    const slot = {
      startsAt: at(10),
      endsAt: at(10) + minutes(50),
      appointmentType: 'online' as const,
      locationId: null,
    }
    expect(openingsBeside(timesWithout(), all, slot)).toEqual(openings([540, 50], [660, 50]))
  })

  test('a snapshot after a booking knows no more than is free, and learns nothing', () => {
    const booked = [{ from: new Date(at(10)), to: new Date(at(10) + minutes(50)) }]
    expect(openingsAfter(all, booked, timesWithout(10))).toEqual(openings([540, 50], [660, 50]))
    expect(openingsAfter(openings([540, 50]), booked, timesWithout(10))).toEqual(openings([540, 50]))
    // Far from the booking it stays as it is.
    const tomorrow = openings([540 + 1440, 80])
    expect(openingsAfter(tomorrow, booked, timesWithout(10))).toEqual(tomorrow)
    // A practitioner who is not listed has nothing free.
    expect(openingsAfter(all, booked, undefined)).toEqual(new Map())
  })

  test('a snapshot after two bookings far apart forgets the starts near either', () => {
    const tomorrow = 24 * 60
    const known = openings([600, 50], [600 + tomorrow, 50])
    const booked = [at(10), at(34)].map((from) => ({
      from: new Date(from),
      to: new Date(from + minutes(50)),
    }))
    expect(openingsAfter(known, booked, undefined)).toEqual(new Map())
  })

  test('a snapshot after a booking keeps the starts more than six hours before it and two after it', () => {
    const booked = [{ from: new Date(at(10)), to: new Date(at(11)) }]
    const minute = (hour: number) => hour * 60
    const known = openings([minute(4) - 1, 50], [minute(4), 50], [minute(13) - 1, 50], [minute(13), 50])
    expect(openingsAfter(known, booked, undefined)).toEqual(openings([minute(4) - 1, 50], [minute(13), 50]))
  })
})
