import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DaysSent } from '#contract/availability/schedule.ts'
import { weekNames } from '#contract/common.ts'
import { isSameWeek, outsideOf, toAvailableHours, toDayRecords, weekOf } from './schedule.rules.ts'
import { moveTo, rangeOf, toLocal } from './time-off.rules.ts'
import { zoneOf } from './zone.ts'

const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`
const slots = fc.array(fc.integer({ min: 0, max: 24 }), { maxLength: 20 })
const weeks = fc.array(fc.record({ online: slots, face_to_face: slots }), { minLength: 7, maxLength: 7 }).map(
  (days): DaysSent =>
    days.map((day, index) => ({
      week_name: weekNames[index] ?? 'Mon',
      online: day.online.map((hour) => ({ timeslot: hourText(hour), location_id: null })),
      face_to_face: day.face_to_face.map((hour) => ({ timeslot: hourText(hour), location_id: 7 })),
    })),
)

test('a week that is read, written and read again is the same, in order and without repetition', () => {
  fc.assert(
    fc.property(weeks, (sent) => {
      const { hours, problems } = weekOf(sent, [7])
      expect(problems).toEqual([])
      const records = toDayRecords(hours)
      expect(weekOf(records, [7]).hours).toEqual(hours)
      for (const [index, record] of records.entries()) {
        const wanted = [...new Set((sent[index]?.online ?? []).map((slot) => slot.timeslot))]
          .filter((text) => text >= '08:00' && text < '22:00')
          .sort()
        expect(record.online.map((slot) => slot.timeslot)).toEqual(wanted)
      }
    }),
  )
})

test('the days may come in any order', () => {
  fc.assert(
    fc.property(weeks, fc.integer({ min: 1, max: 6 }), (sent, turn) => {
      const turned = [...sent.slice(turn), ...sent.slice(0, turn)]
      expect(toDayRecords(weekOf(turned, [7]).hours)).toEqual(toDayRecords(weekOf(sent, [7]).hours))
    }),
  )
})

test('the hours of a profile are those of each weekday, each once and in order', () => {
  const hours = [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) =>
    [weekday + 11, weekday + 8].map((hour) => ({ weekday, hour })),
  )
  expect(toAvailableHours([...hours, ...hours])).toEqual({
    Mon: ['09:00', '12:00'],
    Tue: ['10:00', '13:00'],
    Wed: ['11:00', '14:00'],
    Thr: ['12:00', '15:00'],
    Fri: ['13:00', '16:00'],
    Sut: ['14:00', '17:00'],
    Sun: ['15:00', '18:00'],
  })
})

test('two weeks are the same with the same hours in any order, and not with one more or in another place', () => {
  const nine = { weekday: 1, hour: 9, appointment_type: 'face_to_face' as const, location_id: 7 }
  const ten = { ...nine, hour: 10 }
  expect(isSameWeek([nine, ten], [ten, nine])).toBe(true)
  for (const other of [[nine], [nine, ten, { ...ten, hour: 11 }], [nine, { ...ten, location_id: 8 }]])
    expect(isSameWeek([nine, ten], other)).toBe(false)
})

test('a session is outside exactly when its start could not be chosen any more', () => {
  const zone = zoneOf('Europe/London')
  const schedule = [
    { weekday: 1, hour: 9, appointment_type: 'face_to_face' as const, location_id: 7 },
    { weekday: 1, hour: 10, appointment_type: 'face_to_face' as const, location_id: 7 },
    { weekday: 1, hour: 12, appointment_type: 'online' as const, location_id: null },
  ]
  const session = (start: string, minutes: number, locationId: number | null = 7) => ({
    startsAt: Date.parse(start),
    endsAt: Date.parse(start) + minutes * 60_000,
    appointmentType: locationId === null ? ('online' as const) : ('face_to_face' as const),
    locationId,
  })
  const plan = { zone, schedule, timeOff: [] }
  expect(outsideOf(session('2026-06-01T08:00:00Z', 120), plan)).toBeNull()
  expect(outsideOf(session('2026-06-01T08:00:00Z', 121), plan)).toBe('hours')
  expect(outsideOf(session('2026-06-01T08:30:00Z', 60), plan)).toBe('hours')
  expect(outsideOf(session('2026-06-02T08:00:00Z', 60), plan)).toBe('hours')
  expect(outsideOf(session('2026-06-01T08:00:00Z', 60, 8), plan)).toBe('place')
  expect(outsideOf(session('2026-06-01T08:00:00Z', 60, null), plan)).toBe('hours')
  expect(outsideOf(session('2026-06-01T11:00:00Z', 60, null), plan)).toBeNull()
  // The same hours on the clock in winter.
  expect(outsideOf(session('2026-11-02T09:00:00Z', 60), plan)).toBeNull()
  const away = {
    ...plan,
    timeOff: [
      { from: Date.parse('2026-06-02T08:00:00Z'), to: Date.parse('2026-06-02T09:00:00Z') },
      { from: Date.parse('2026-06-01T08:59:00Z'), to: Date.parse('2026-06-01T09:30:00Z') },
    ],
  }
  expect(outsideOf(session('2026-06-01T08:00:00Z', 60), away)).toBe('time_off')
})

test('time off says the same in words as it was written, in every zone and around every clock change', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  const day = fc
    .integer({ min: 1, max: 900 })
    .map((days) => new Date(now + days * 86_400_000).toISOString().slice(0, 10))
  // No zone below changes its clocks at these hours.
  const time = fc.option(fc.integer({ min: 6, max: 22 }).map(hourText))
  fc.assert(
    fc.property(
      fc.constantFrom('Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'),
      fc.constantFrom('Europe/London', 'Asia/Kathmandu', 'America/St_Johns'),
      day,
      day,
      time,
      time,
      (name, elsewhere, one, two, from_time, to_time) => {
        const [first_day = one, last_day = two] = [one, two].sort()
        const zone = zoneOf(name)
        const sent = { first_day, last_day, from_time, to_time }
        const range = rangeOf(sent, zone, now)
        if (first_day === last_day && from_time !== null && to_time !== null && to_time <= from_time) {
          expect(range).toMatchObject({ field: 'to_time' })
          return
        }
        if ('field' in range) throw new Error(range.message)
        expect(toLocal(range, zone)).toEqual(sent)
        const moved = moveTo(range, zone, zoneOf(elsewhere))
        expect(toLocal(moved, zoneOf(elsewhere))).toEqual(sent)
        expect(moveTo(moved, zoneOf(elsewhere), zone)).toEqual(range)
      },
    ),
  )
})
