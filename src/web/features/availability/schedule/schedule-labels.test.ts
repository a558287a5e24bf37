import { expect, test } from 'vitest'
import { WeekName } from '#contract/common.ts'
import {
  dayNames,
  minutesLabel,
  partOffLabel,
  runsOf,
  slotLabel,
  timeOffLabel,
  weekLabel,
  savedLabel,
  scheduledLabel,
} from './schedule-labels.ts'

const slots = (location_id: number | null, ...times: string[]) =>
  times.map((timeslot) => ({ timeslot, location_id }))

test('a slot is named by its hour', () => {
  expect(slotLabel('08:00')).toBe('08:00 — 09:00')
  expect(slotLabel('21:00')).toBe('21:00 — 22:00')
})

test('hours that follow each other at one place are taken together', () => {
  expect(runsOf(slots(null, '09:00', '10:00', '12:00'))).toEqual([
    { from: '09:00', to: '11:00', locationId: null },
    { from: '12:00', to: '13:00', locationId: null },
  ])
  expect(runsOf([...slots(1, '09:00'), ...slots(2, '10:00')])).toHaveLength(2)
  expect(runsOf([])).toEqual([])
})

test('a number of minutes reads as people say it', () => {
  expect([1, 45, 60, 90, 120, 1440, 2880, 2940, 2895, 10_080].map(minutesLabel)).toEqual([
    '1 minute',
    '45 minutes',
    '1 hour',
    '90 minutes',
    '2 hours',
    '24 hours',
    '2 days',
    '49 hours',
    '2895 minutes',
    '7 days',
  ])
})

test('time off reads as it was entered', () => {
  const off = (first_day: string, last_day: string, from_time: string | null, to_time: string | null) =>
    timeOffLabel(
      {
        time_off_id: 1,
        first_day,
        last_day,
        from_time,
        to_time,
        starts_at: '',
        ends_at: '',
        booked_sessions: 0,
      },
      '2026-06-01',
    )
  expect(off('2026-06-03', '2026-06-03', null, null)).toBe('Wednesday 3 June')
  expect(off('2026-06-03', '2026-06-03', '09:00', '12:30')).toBe('Wednesday 3 June, 09:00 to 12:30')
  expect(off('2026-06-03', '2026-06-03', '09:00', null)).toBe('Wednesday 3 June, 09:00 to 24:00')
  expect(off('2026-06-03', '2027-01-04', null, null)).toBe('Wednesday 3 June to Monday 4 January 2027')
  expect(off('2026-06-03', '2026-06-05', '15:00', '10:00')).toBe(
    'Wednesday 3 June, 15:00 to Friday 5 June, 10:00',
  )
})

test('a saved week without hours promises none', () => {
  const slot = { timeslot: '09:00', location_id: null }
  const day = { week_name: 'Mon', online: [], face_to_face: [] } as const
  expect(savedLabel({ schedule: [{ ...day, online: [], face_to_face: [slot] }] }, true)).toMatch(
    /can book these/,
  )
  expect(savedLabel({ schedule: [{ ...day, online: [slot], face_to_face: [] }] }, false)).toMatch(
    /once they can find/,
  )
  expect(savedLabel({ schedule: [{ ...day, online: [], face_to_face: [] }] }, true)).toMatch(
    /cannot book any/,
  )
  expect(savedLabel({ schedule: [] }, undefined)).toMatch(/cannot book any/)
})

test('a saved week whose hours no session fits into does not promise them, and says what to do', () => {
  const slot = { timeslot: '09:00', location_id: null }
  const day = { week_name: 'Mon', online: [slot], face_to_face: [] } as const
  const both = { schedule: [{ ...day, face_to_face: [slot] }] }
  expect(savedLabel({ schedule: [day], unfit: ['online'] }, true)).toBe(
    'No online session that you offer fits into your online hours, so clients cannot book them. Offer one that does, or save more hours in a row.',
  )
  expect(savedLabel({ ...both, unfit: ['online', 'face_to_face'] }, true)).toBe(
    'No session that you offer fits into your hours, so clients cannot book them. Offer one that does, or save more hours in a row at one place.',
  )
  const inRoom = 'No face-to-face session that you offer fits into your face-to-face hours'
  for (const [isListed, promise] of [
    [true, 'Clients can book your online hours from now on.'],
    [false, 'Clients can book your online hours once they can find your profile.'],
    [undefined, 'Your hours are saved.'],
  ] as const) {
    const label = savedLabel({ ...both, unfit: ['face_to_face'] }, isListed)
    expect(label).toContain(`${promise} ${inRoom}`)
  }
  expect(savedLabel({ ...both, unfit: [] }, true)).toBe('Clients can book these hours from now on.')
})

test('a saved week does not say who can book it while it is unknown whether the profile is listed', () => {
  const slot = { timeslot: '09:00', location_id: null }
  const schedule = [{ week_name: 'Mon' as const, online: [slot], face_to_face: [] }]
  expect(savedLabel({ schedule }, undefined)).toBe('Your hours are saved.')
})

test('a week is named by its first and last day', () => {
  expect(weekLabel('2026-06-01')).toBe('1 to 7 June')
  expect(weekLabel('2026-06-29')).toBe('29 June to 5 July')
})

test('of a longer time off, each day tells its own part', () => {
  const off = {
    time_off_id: 1,
    first_day: '2026-06-03',
    last_day: '2026-06-05',
    from_time: '15:00',
    to_time: '10:00',
    starts_at: '',
    ends_at: '',
    booked_sessions: 0,
  }
  expect(['03', '04', '05'].map((day) => partOffLabel(off, `2026-06-${day}`))).toEqual([
    'from 15:00',
    undefined,
    'until 10:00',
  ])
  expect(partOffLabel({ ...off, last_day: '2026-06-03', to_time: '16:30' }, '2026-06-03')).toBe(
    '15:00 to 16:30',
  )
})

test.each([
  [{ status: 'confirmed', frozen: false }, undefined],
  [{ status: 'reserved' }, 'Not paid yet'],
  [{ status: 'no_show', frozen: false }, 'Client did not come'],
  [{ status: 'confirmed', frozen: true }, 'Being checked'],
  [{ status: 'reserved', frozen: true }, 'Being checked'],
] as const)('the week labels a session %o', (session, words) => {
  expect(scheduledLabel(session)).toBe(words)
})

test('each day of a week of the API has its name', () => {
  expect(WeekName.options.map((name) => `${dayNames[name].short} ${dayNames[name].long}`)).toEqual([
    'Mon Monday',
    'Tue Tuesday',
    'Wed Wednesday',
    'Thu Thursday',
    'Fri Friday',
    'Sat Saturday',
    'Sun Sunday',
  ])
})
