import { expect, test } from 'vitest'
import type { Schedule, TimeOff } from '#contract/availability/schedule.ts'
import { weekNames } from './schedule-draft.ts'
import { byStart, daysOf } from './week-days.ts'

const off = (
  first_day: string,
  last_day: string,
  from_time: string | null,
  to_time: string | null,
): TimeOff => ({
  time_off_id: 1,
  first_day,
  last_day,
  from_time,
  to_time,
  starts_at: '',
  ends_at: '',
  booked_sessions: 0,
})
const session = (id: string, starts_at: string) => ({
  appointment_id: id,
  booking_type: 'schedule' as const,
  status: 'confirmed' as const,
  starts_at,
  ends_at: starts_at,
  appointment_type: 'online' as const,
  service_name: null,
  client_name: 'Robin V.',
  client_timezone: null,
  location_name: null,
  outside: null,
})
const week = (change: Partial<Schedule>): Schedule => ({
  schedule: weekNames.map((week_name) => ({ week_name, online: [], face_to_face: [] })),
  version: 1,
  timezone: 'America/New_York',
  rules: { notice_minutes: 60, pause_minutes: 0, series_rule: 'open' },
  locations: [],
  week_starts: '2026-06-01',
  today: '2026-06-01',
  sessions: [],
  time_off: [],
  outside: [],
  ...change,
})

test('sessions stand on the day that the practitioner’s clocks show', () => {
  const days = daysOf(
    week({ sessions: [session('evening', '2026-06-03T01:00:00Z'), session('noon', '2026-06-07T16:00:00Z')] }),
  )
  expect(days.map(({ day, sessions }) => [day, sessions.map((each) => each.appointment_id)])).toEqual([
    ['2026-06-01', []],
    ['2026-06-02', ['evening']],
    ['2026-06-03', []],
    ['2026-06-04', []],
    ['2026-06-05', []],
    ['2026-06-06', []],
    ['2026-06-07', ['noon']],
  ])
})

test('a day is off as a whole only where nothing of it is left', () => {
  const days = daysOf(
    week({
      time_off: [
        off('2026-06-02', '2026-06-04', '12:00', '09:00'),
        off('2026-06-06', '2026-06-06', null, null),
      ],
    }),
  )
  expect(days.filter(({ timeOff }) => timeOff.length > 0).map(({ day }) => day)).toEqual([
    '2026-06-02',
    '2026-06-03',
    '2026-06-04',
    '2026-06-06',
  ])
  expect(days.filter(({ isOff }) => isOff).map(({ day }) => day)).toEqual(['2026-06-03', '2026-06-06'])
})

test('an offered hour stands between the sessions before and after it, however its time is written', () => {
  const hours = [
    { startsAt: '2026-06-08T11:00:00Z', of: 'session' },
    { startsAt: '2026-06-08T09:00:00Z', of: 'session' },
    { startsAt: '2026-06-08T11:00:00+01:00', of: 'offer' },
  ]
  expect(byStart(hours).map(({ of }) => of)).toEqual(['session', 'offer', 'session'])
  expect(byStart(hours).map(({ startsAt }) => startsAt.slice(11, 13))).toEqual(['09', '11', '11'])
})
