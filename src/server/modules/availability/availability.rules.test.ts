import { Temporal } from 'temporal-polyfill'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { freeSlots, outlookOf, type WeeklyHour } from './availability.rules.ts'
import { dayNumber, localText, startOfDay, zoneOf } from './zone.ts'

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
        const question = { zone, schedule, busy: [], durations: { online: 60 }, viewer: zone, holdsEnd: [] }
        const now = start + first
        const outlook = outlookOf({ ...question, now })
        const later = Math.min(now + wait, outlook.freshUntil.getTime() - 1)
        const then = outlookOf({ ...question, now: later })
        expect(then.nextFree).toEqual(outlook.nextFree)
      },
    ),
  )
})
