import { Temporal } from 'temporal-polyfill'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bookableRange,
  durationsOf,
  freeSlots,
  offeredSlot,
  outlookOf,
  shortestServices,
  unfitFormats,
  withPause,
  type WeeklyHour,
} from './availability.rules.ts'
import { localText, startOfDay, zoneOf } from './zone.ts'
import { dayNumber } from '../../clock.ts'

const zones = ['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'America/Phoenix']
const online = (weekday: number, hour: number): WeeklyHour => ({
  weekday,
  hour,
  appointment_type: 'online',
  location_id: null,
})
const everyHour = [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) =>
  Array.from({ length: 24 }, (_, hour) => online(weekday, hour)),
)
const at = (text: string) => Date.parse(text)

/** Local whole hours of a day as the reference library has them: skipped ones left out, repeated ones at their first. */
function expected(zone: string, date: Temporal.PlainDate): string[] {
  const starts: string[] = []
  for (let hour = 0; hour < 24; hour++) {
    const plain = date.toPlainDateTime({ hour })
    const first = plain.toZonedDateTime(zone, { disambiguation: 'earlier' })
    if (first.toPlainDateTime().equals(plain)) starts.push(new Date(first.epochMilliseconds).toISOString())
  }
  return starts
}

describe.each(zones)('in %s', (name) => {
  const zone = zoneOf(name)

  test('every hour of two years is offered once if it exists, over every clock change', () => {
    const first = Temporal.PlainDate.from('2026-01-01')
    const wanted: string[] = []
    for (let day = 0; day < 731; day++) wanted.push(...expected(name, first.add({ days: day })))
    const from = startOfDay(zone, dayNumber('2026-01-01'))
    const to = startOfDay(zone, dayNumber('2026-01-01') + 731)
    const found = freeSlots({ zone, schedule: everyHour, busy: [], from, to, durations: { online: 60 } })
    expect(found.map((slot) => new Date(slot.startsAt).toISOString())).toEqual(wanted)
  })

  test('local times turn into instants as the reference library turns them', () => {
    fc.assert(
      fc.property(fc.integer({ min: at('2026-01-01'), max: at('2028-01-01') }), (instant) => {
        const whole = instant - (instant % 60_000)
        const reference = Temporal.Instant.fromEpochMilliseconds(whole).toZonedDateTimeISO(name)
        expect(localText(zone, whole)).toBe(
          reference.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' '),
        )
        expect(zone.instantsOf(whole + zone.offsetAt(whole))).toContain(whole)
      }),
    )
  })
})

describe('a zone', () => {
  test.each(['Asia/Calcutta', 'Asia/Kolkata', 'Europe/Kyiv', 'europe/london'])(
    'is computed once by the name %s',
    (name) => {
      expect(zoneOf(name)).toBe(zoneOf(name))
      expect(zoneOf(name).name).toBe(name)
    },
  )

  test('is computed anew by a spelling that hundreds of others have come after', () => {
    const first = zoneOf('eUROPE/LONDON')
    // All spellings of nine letters; the slash has one.
    for (let spelling = 0; spelling < 2 ** 10; spelling++) {
      const letters = Array.from('europe/paris', (letter, at) =>
        (spelling >> at) & 1 ? letter.toUpperCase() : letter,
      )
      zoneOf(letters.join(''))
    }
    expect(zoneOf('eUROPE/LONDON')).not.toBe(first)
  })
})

test('an hour skipped in spring is not offered', () => {
  const zone = zoneOf('Europe/London')
  const slots = freeSlots({
    zone,
    schedule: [online(7, 0), online(7, 1), online(7, 2)],
    busy: [],
    from: at('2026-03-29T00:00:00Z'),
    to: at('2026-03-30T00:00:00Z'),
    durations: { online: 60 },
  })
  expect(slots.map((slot) => localText(zone, slot.startsAt))).toEqual([
    '2026-03-29 00:00',
    '2026-03-29 02:00',
  ])
})

test('an hour repeated in autumn is offered at its first', () => {
  const zone = zoneOf('Europe/London')
  const slots = freeSlots({
    zone,
    schedule: [online(7, 1)],
    busy: [],
    from: at('2026-10-24T12:00:00Z'),
    to: at('2026-10-26T00:00:00Z'),
    durations: { online: 60 },
  })
  expect(slots.map((slot) => new Date(slot.startsAt).toISOString())).toEqual(['2026-10-25T00:00:00.000Z'])
})

describe('a longer session', () => {
  const zone = zoneOf('Europe/London')
  const monday = { from: at('2026-06-01T00:00:00Z'), to: at('2026-06-02T00:00:00Z') }
  const schedule = [online(1, 9), online(1, 10), online(1, 12)]

  test('needs the hours after it without a gap', () => {
    const slots = freeSlots({ zone, schedule, busy: [], ...monday, durations: { online: 90 } })
    expect(slots.map((slot) => localText(zone, slot.startsAt))).toEqual(['2026-06-01 09:00'])
  })

  test('needs them in one place', () => {
    const room = (hour: number, location: number): WeeklyHour => ({
      weekday: 1,
      hour,
      appointment_type: 'face_to_face',
      location_id: location,
    })
    const slots = freeSlots({
      zone,
      schedule: [room(9, 1), room(10, 1), room(11, 2)],
      busy: [],
      ...monday,
      durations: { face_to_face: 120 },
    })
    expect(slots.map((slot) => localText(zone, slot.startsAt))).toEqual(['2026-06-01 09:00'])
  })

  test('is not offered over another booking, and is right up to it', () => {
    const busy = [{ from: at('2026-06-01T09:30:00Z'), to: at('2026-06-01T10:00:00Z') }]
    const starts = (minutes: number) =>
      freeSlots({ zone, schedule, busy, ...monday, durations: { online: minutes } }).map((slot) =>
        localText(zone, slot.startsAt),
      )
    expect(starts(90)).toEqual(['2026-06-01 09:00'])
    expect(starts(91)).toEqual([])
    expect(starts(30)).toEqual(['2026-06-01 09:00', '2026-06-01 10:00', '2026-06-01 12:00'])
  })
})

test('free slots are in order of time, those online first, for any order of the schedule', () => {
  const faceToFace: WeeklyHour = { ...online(1, 9), appointment_type: 'face_to_face', location_id: 1 }
  const hours = [online(1, 10), faceToFace, online(1, 9)]
  for (const schedule of [hours, hours.toReversed()]) {
    const slots = freeSlots({
      zone: zoneOf('UTC'),
      schedule,
      busy: [],
      from: at('2026-06-01T00:00:00Z'),
      to: at('2026-06-02T00:00:00Z'),
      durations: { online: 60, face_to_face: 60 },
    })
    expect(slots.map((slot) => [slot.startsAt, slot.appointmentType])).toEqual([
      [at('2026-06-01T09:00:00Z'), 'online'],
      [at('2026-06-01T09:00:00Z'), 'face_to_face'],
      [at('2026-06-01T10:00:00Z'), 'online'],
    ])
  }
})

describe('a wanted start', () => {
  const nine = at('2026-06-01T09:00:00Z')
  const ten = at('2026-06-01T10:00:00Z')
  const room: WeeklyHour = { ...online(1, 9), appointment_type: 'face_to_face', location_id: 1 }
  const wanted = { startsAt: nine, durationMinutes: 50, appointmentType: 'online' as const }
  const asked = {
    zone: zoneOf('UTC'),
    schedule: [online(1, 9), online(1, 10), room],
    taken: [],
    pauseMinutes: 10,
    range: { from: nine, to: ten },
    wanted,
  }
  const taken = (from: number, to: number, reservationId: string | null) => ({
    ...asked,
    taken: [{ from, to, reservationId }],
  })
  const minutes = (count: number) => count * 60_000

  test('is offered from the first bookable start to before the last', () => {
    expect(offeredSlot(asked)).toEqual({
      slot: { startsAt: nine, endsAt: nine + minutes(50), appointmentType: 'online', locationId: null },
      isTooClose: false,
    })
    expect(offeredSlot({ ...asked, range: { from: nine + 1, to: ten } })).toBe('not offered')
    expect(offeredSlot({ ...asked, wanted: { ...wanted, startsAt: ten } })).toBe('not offered')
  })

  test('is offered in the place of its hour, which need not be named', () => {
    const inPerson = (locationId?: number | null) =>
      offeredSlot({ ...asked, wanted: { ...wanted, appointmentType: 'face_to_face', locationId } })
    for (const place of [undefined, null, 1]) expect(inPerson(place)).toMatchObject({ isTooClose: false })
    expect(inPerson(2)).toBe('not offered')
  })

  test('is away in time off, and right up to it is not', () => {
    const end = nine + minutes(50)
    expect(offeredSlot(taken(end - 1, end + 1, null))).toBe('away')
    expect(offeredSlot(taken(end, end + 1, null))).toMatchObject({ isTooClose: false })
  })

  test('is too close to a session within the pause, but for the own one', () => {
    const pause = nine + minutes(60)
    expect(offeredSlot(taken(pause - 1, ten, 'other'))).toMatchObject({ isTooClose: true })
    expect(offeredSlot(taken(pause, pause + 1, 'other'))).toMatchObject({ isTooClose: false })
    expect(offeredSlot({ ...taken(nine, ten, 'own'), own: 'own' })).toMatchObject({ isTooClose: false })
    const unordered = [
      ...taken(ten + minutes(60), ten + minutes(61), 'later').taken,
      ...taken(nine, ten, 'other').taken,
    ]
    expect(offeredSlot({ ...asked, taken: unordered })).toMatchObject({ isTooClose: true })
  })
})

test('the shortest service of each format is the first of equals, of one service or format where it is named', () => {
  const service = (
    service_id: number,
    appointment_type: 'online' | 'face_to_face',
    duration_minutes: number,
  ) => ({
    service_id,
    appointment_type,
    duration_minutes,
  })
  const [long, short, equal, inPerson] = [
    service(1, 'online', 80),
    service(2, 'online', 50),
    service(3, 'online', 50),
    service(1, 'face_to_face', 50),
  ]
  const all = [long, short, equal, inPerson]
  expect(shortestServices(all)).toEqual({ online: short, face_to_face: inPerson })
  expect(shortestServices(all, 1)).toEqual({ online: long, face_to_face: inPerson })
  expect(shortestServices(all, undefined, 'online')).toEqual({ online: short })
  expect(durationsOf(all)).toEqual({ online: 50, face_to_face: 50 })
})

test('no free slot overlaps what is busy, and none that could be is left out', () => {
  const hourOfWeek = fc.record({
    weekday: fc.integer({ min: 1, max: 7 }),
    hour: fc.integer({ min: 8, max: 21 }),
  })
  const from = at('2026-03-23T00:00:00Z')
  const week = 7 * 86_400_000
  const range = fc.record({
    from: fc.integer({ min: 0, max: week }),
    length: fc.integer({ min: 1, max: 8e6 }),
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.array(hourOfWeek, { maxLength: 40 }),
      fc.array(range, { maxLength: 12 }),
      fc.integer({ min: 15, max: 240 }),
      (name, hours, ranges, minutes) => {
        const zone = zoneOf(name)
        const unique = [...new Map(hours.map((entry) => [`${entry.weekday} ${entry.hour}`, entry])).values()]
        const schedule = unique.map((entry) => online(entry.weekday, entry.hour))
        const busy = ranges.map((entry) => ({
          from: from + entry.from,
          to: from + entry.from + entry.length,
        }))
        const question = { zone, schedule, from, to: from + week, durations: { online: minutes } }
        const all = freeSlots({ ...question, busy: [] })
        const free = freeSlots({ ...question, busy })
        const clear = all.filter(
          (slot) => !busy.some((taken) => taken.from < slot.endsAt && slot.startsAt < taken.to),
        )
        expect(free).toEqual(clear)
      },
    ),
  )
})

test('an outlook is right until it says it is not', () => {
  const zone = zoneOf('Europe/London')
  const schedule = [online(1, 9), online(1, 11), online(3, 20)]
  const start = at('2026-06-01T05:00:00Z')
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 5 * 86_400_000 }),
      fc.integer({ min: 0, max: 86_400_000 }),
      (first, wait) => {
        const question = {
          zone,
          schedule,
          busy: [],
          durations: { online: 60 },
          viewer: zone,
          leadTimeMinutes: 60,
          holdsEnd: [],
        }
        const now = start + first
        const outlook = outlookOf({ ...question, now })
        const later = Math.min(now + wait, outlook.freshUntil.getTime() - 1)
        const then = outlookOf({ ...question, now: later })
        expect(then.nextFree).toEqual(outlook.nextFree)
        expect(then.nextStarts).toEqual(outlook.nextStarts)
        expect(then.freeDays).toEqual(outlook.freeDays)
      },
    ),
  )
})

describe('the end of an outlook', () => {
  const zone = zoneOf('Europe/London')
  const now = at('2026-06-01T05:00:00Z')
  const { to } = bookableRange(now, 60)
  // 60 days from now is Friday 31 July, and the last bookable start is before 07:00 in London.
  const question = {
    zone,
    schedule: [online(5, 8), online(5, 9), online(5, 10)],
    busy: [{ from: now, to }],
    durations: { online: 60 },
    viewer: zone,
    leadTimeMinutes: 60,
    holdsEnd: [],
    now,
  }
  const entersAt = (start: string) => at(start) - (to - now) + 1

  test('is when the first free start comes into the 60 days of a fully booked practitioner', () => {
    const { nextFree, freshUntil } = outlookOf(question)
    expect(nextFree.online).toBeNull()
    expect(freshUntil.getTime()).toBe(entersAt('2026-07-31T07:00:00Z'))
    const before = outlookOf({ ...question, now: freshUntil.getTime() - 1 })
    expect(before.nextFree.online).toBeNull()
    const then = outlookOf({ ...question, now: freshUntil.getTime() })
    expect(then.nextFree.online).toEqual(new Date('2026-07-31T07:00:00Z'))
  })

  test('passes over a start that is busy', () => {
    const busy = [...question.busy, { from: to, to: at('2026-07-31T08:00:00Z') }]
    expect(outlookOf({ ...question, busy }).freshUntil.getTime()).toBe(entersAt('2026-07-31T08:00:00Z'))
  })

  test('passes over a start that changes nothing, as its day is free and four starts are sooner', () => {
    const enough = { ...question, schedule: [5, 6, 7, 8, 9].map((hour) => online(5, hour)), busy: [] }
    expect(outlookOf(enough).freshUntil).toEqual(new Date(now + 86_400_000))
    const fewer = { ...enough, busy: [{ from: now, to: at('2026-07-31T05:00:00Z') }] }
    expect(outlookOf(fewer).freshUntil.getTime()).toBe(entersAt('2026-07-31T06:00:00Z'))
  })
})

describe('a pause', () => {
  const zone = zoneOf('Europe/London')
  const quarter = 15 * 60_000
  const from = at('2026-06-01T00:00:00Z')
  const session = fc.record({ at: fc.integer({ min: 0, max: 95 }), length: fc.integer({ min: 1, max: 8 }) })

  test('leaves exactly the starts that lie the pause away from every session, on both sides, and touch no time off', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 8, max: 21 }), { maxLength: 14 }),
        fc.array(session, { maxLength: 5 }),
        fc.array(session, { maxLength: 2 }),
        fc.integer({ min: 15, max: 240 }),
        fc.integer({ min: 0, max: 60 }),
        (hours, sessions, away, duration, pauseMinutes) => {
          const rangeOf = (entry: { at: number; length: number }) => ({
            from: from + entry.at * quarter,
            to: from + (entry.at + entry.length) * quarter,
          })
          const taken = [
            ...sessions.map((entry) => ({ ...rangeOf(entry), reservationId: 'a session' })),
            ...away.map((entry) => ({ ...rangeOf(entry), reservationId: null })),
          ]
          const question = {
            zone,
            schedule: hours.map((hour) => online(1, hour)),
            from,
            to: from + 86_400_000,
            durations: { online: duration },
          }
          const free = freeSlots({ ...question, busy: withPause(taken, pauseMinutes) })
          // Check each minute: no time off or session covers it, and no session lies within the pause on either side.
          const isFree = (start: number, end: number) => {
            for (let minute = start; minute < end; minute += 60_000) {
              for (const range of taken) {
                const gap = range.reservationId === null ? 0 : pauseMinutes * 60_000
                if (minute + gap >= range.from && minute - gap < range.to && gap > 0) {
                  const distance = start >= range.to ? start - range.to : range.from - end
                  if (distance < gap) return false
                }
                if (minute >= range.from && minute < range.to) return false
              }
            }
            return true
          }
          const expected = freeSlots({ ...question, busy: [] }).filter((slot) =>
            isFree(slot.startsAt, slot.endsAt),
          )
          expect(free).toEqual(expected)
        },
      ),
    )
  })

  test('between two sessions is kept whichever of them is booked first', () => {
    fc.assert(
      fc.property(session, session, fc.integer({ min: 0, max: 60 }), (a, b, pauseMinutes) => {
        const range = (entry: { at: number; length: number }) => ({
          from: from + entry.at * quarter,
          to: from + (entry.at + entry.length) * quarter,
          reservationId: 'a session',
        })
        const collides = (first: typeof a, second: typeof a) => {
          const [kept] = withPause([range(first)], pauseMinutes)
          const other = range(second)
          return kept !== undefined && kept.from < other.to && other.from < kept.to
        }
        // As the database has it: each range with the pause after it.
        const blocked = (entry: typeof a) => range(entry).to + pauseMinutes * 60_000
        const forbidden = range(a).from < blocked(b) && range(b).from < blocked(a)
        expect([collides(a, b), collides(b, a)]).toEqual([forbidden, forbidden])
      }),
    )
  })
})

describe('notice', () => {
  const now = at('2026-06-01T08:00:00Z')

  test('moves the first start, never below an hour, and leaves the last one where it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_080 }), (leadTimeMinutes) => {
        const range = bookableRange(now, leadTimeMinutes)
        expect(range.from - now).toBe(Math.max(60, leadTimeMinutes) * 60_000)
        expect(range.to).toBe(bookableRange(now, 60).to)
      }),
    )
  })

  test('is kept by an outlook, which is right until it says it is not', () => {
    const zone = zoneOf('Europe/London')
    const schedule = [online(1, 9), online(1, 11), online(3, 20)]
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 10_080 }),
        fc.integer({ min: 0, max: 5 * 86_400_000 }),
        fc.integer({ min: 0, max: 86_400_000 }),
        (leadTimeMinutes, first, wait) => {
          const question = {
            zone,
            schedule,
            busy: [],
            durations: { online: 60 },
            viewer: zone,
            leadTimeMinutes,
            holdsEnd: [],
          }
          const outlook = outlookOf({ ...question, now: now + first })
          const next = outlook.nextFree.online?.getTime() ?? 0
          expect(next - (now + first)).toBeGreaterThanOrEqual(leadTimeMinutes * 60_000)
          const later = Math.min(now + first + wait, outlook.freshUntil.getTime() - 1)
          expect(outlookOf({ ...question, now: later }).nextFree).toEqual(outlook.nextFree)
        },
      ),
    )
  })
})

describe('hours that no session fits into', () => {
  const room = (weekday: number, hour: number, location_id = 1): WeeklyHour => ({
    weekday,
    hour,
    appointment_type: 'face_to_face',
    location_id,
  })
  const lasting = (minutes: number, type: WeeklyHour['appointment_type'] = 'online') => ({
    service_id: 1,
    appointment_type: type,
    duration_minutes: minutes,
  })
  const apart = [10, 12, 14].map((hour) => online(1, hour))

  test('are found by the shortest session of their format', () => {
    expect(unfitFormats(apart, [lasting(120)])).toEqual(['online'])
    expect(unfitFormats(apart, [lasting(120), lasting(60)])).toEqual([])
    expect(unfitFormats([...apart, online(1, 11)], [lasting(120)])).toEqual([])
    expect(unfitFormats(apart, [lasting(120), lasting(60, 'face_to_face')])).toEqual(['online'])
  })

  test('are those of a format without a session, and those at two places', () => {
    expect(unfitFormats([room(1, 10)], [lasting(50)])).toEqual(['face_to_face'])
    expect(unfitFormats([...apart, room(1, 10)], [lasting(90), lasting(50, 'face_to_face')])).toEqual([
      'online',
    ])
    const inRooms = [lasting(90, 'face_to_face')]
    expect(unfitFormats([room(1, 10), room(1, 11, 2)], inRooms)).toEqual(['face_to_face'])
    expect(unfitFormats([room(1, 10), room(1, 11)], inRooms)).toEqual([])
  })

  test('are not those that go on after midnight, also from Sunday to Monday', () => {
    for (const [before, after] of [
      [1, 2],
      [7, 1],
    ] as const) {
      const night = [online(before, 23), online(after, 0)]
      expect(unfitFormats(night, [lasting(120)])).toEqual([])
      expect(unfitFormats(night, [lasting(180)])).toEqual(['online'])
    }
  })

  test('are none without hours, nor before any session is offered', () => {
    expect(unfitFormats([], [lasting(50)])).toEqual([])
    expect(unfitFormats(apart, [])).toEqual([])
  })
})
