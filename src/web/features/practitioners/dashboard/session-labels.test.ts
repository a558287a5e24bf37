import { describe, expect, test } from 'vitest'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import {
  actsOf,
  attendanceLabel,
  canBeKept,
  freedTimeLabel,
  offersCancel,
  outcomeLabel,
  ownSessionsPath,
  refundedLabel,
  soonLabel,
} from './session-labels.ts'

const session: TherapistSession = {
  appointment_id: '00000000-0000-4000-8000-000000000000',
  client: { name: 'Alex M.', timezone: null },
  booking_type: 'schedule',
  status: 'confirmed',
  starts_at: '2026-06-08T09:00:00Z',
  ends_at: '2026-06-08T09:50:00Z',
  appointment_type: 'online',
  service_name: 'Individual therapy',
  location: null,
  meeting_link: null,
  room: null,
  fee: 60,
  owed: 60,
  cancelled_by: null,
  your_reason: null,
  can: {
    cancel: true,
    complete: false,
    no_show: false,
    technical_failure: false,
    allow_late_payment: false,
    message: true,
  },
  settles_at: '2026-06-09T09:50:00Z',
  no_show_from: '2026-06-08T09:15:00Z',
  no_show: null,
  attendance: null,
  payment_change: null,
  frozen_until: null,
  series_id: null,
  pay_at: null,
  pay_by: null,
  payment_due: null,
}
const ofSeries = { series_id: '00000000-0000-4000-8000-000000000001' }
const noShow = (state: 'declared' | 'disputed' | 'upheld' | 'overturned') => ({
  no_show: { state, dispute_until: '2026-06-22T09:15:00Z' },
})
const at = (time: string) => Date.parse(`2026-06-08T${time}Z`)

describe('what became of a session', () => {
  test.each([
    [{}, at('08:59:59'), 'Booked'],
    [{}, at('09:00:00'), 'Going on now'],
    [{ frozen_until: '2026-06-08T07:00:00Z' }, at('06:00:00'), 'Being checked'],
    [{ frozen_until: '2026-06-08T07:00:00Z', status: 'reserved' }, at('06:00:00'), 'Being checked'],
    [{}, at('09:50:00'), 'Counts as completed on Tuesday 9 June, 10:50'],
    [{ settles_at: null }, at('23:00:00'), 'Completed'],
    [{ status: 'completed' }, at('10:00:00'), 'Completed'],
    [{ status: 'no_show' }, at('10:00:00'), 'Client did not come'],
    [
      { status: 'no_show', ...noShow('declared') },
      at('10:00:00'),
      'Client did not come. They can dispute it until Monday 22 June, 10:15',
    ],
    [{ status: 'no_show', ...noShow('declared') }, Date.parse('2026-06-22T09:15:00Z'), 'Client did not come'],
    [
      { status: 'no_show', ...noShow('disputed') },
      at('10:00:00'),
      'Client did not come. They dispute it, and we are looking at it',
    ],
    [
      { status: 'no_show', ...noShow('upheld') },
      at('10:00:00'),
      'Client did not come. They disputed it, and what you recorded stays',
    ],
    [
      { status: 'cancelled', cancelled_by: 'system', ...noShow('overturned') },
      at('10:00:00'),
      'Disputed, decided for the client and refunded',
    ],
    [
      { status: 'cancelled', cancelled_by: 'client', owed: 0 },
      at('08:00:00'),
      'Alex M. cancelled it. The client was refunded',
    ],
    [
      { status: 'cancelled', cancelled_by: 'practitioner', owed: 0 },
      at('08:00:00'),
      'You cancelled it. The client was refunded',
    ],
    [{ status: 'cancelled', cancelled_by: 'client', ...ofSeries }, at('08:00:00'), 'Alex M. cancelled it'],
    [
      { status: 'cancelled', cancelled_by: 'system', cancelled_because: 'unpaid', ...ofSeries },
      at('08:00:00'),
      'It was cancelled because it was not paid in time',
    ],
    [
      { status: 'cancelled', cancelled_by: 'system', cancelled_because: 'practitioner_absent', owed: 0 },
      at('10:00:00'),
      'Alex M. told us that you did not come, so it was cancelled. The client was refunded',
    ],
    [
      { status: 'cancelled', cancelled_by: 'practitioner', cancelled_because: 'technical_failure', owed: 0 },
      at('10:00:00'),
      'It was cancelled because the connection did not work. The client was refunded',
    ],
    [{ status: 'reserved', ...ofSeries }, at('08:00:00'), 'Reserved, not paid yet'],
    [
      { room: { kind: 'hearth', link: '/session-room', ended_at: '2026-06-08T09:40:00Z' } },
      at('09:45:00'),
      'Ended at 10:40',
    ],
  ] satisfies [Partial<TherapistSession>, number, string][])('%o at %s is %s', (change, now, words) => {
    expect(outcomeLabel({ ...session, ...change }, now, 'Europe/London')).toBe(words)
  })
})

describe('how soon it is', () => {
  test.each([
    ['08:59:30', 'in 1 minute'],
    ['08:35:00', 'in 25 minutes'],
    ['08:01:00', 'in 59 minutes'],
    ['08:00:00', 'in 1 hour'],
    ['07:31:00', 'in 1 hour'],
    ['07:30:00', 'in 2 hours'],
    ['06:00:00', 'in 3 hours'],
    ['09:00:00', undefined],
  ])('at %s is %s', (time, words) => {
    expect(soonLabel(session.starts_at, at(time))).toBe(words)
  })

  test('is not said of what is further away', () => {
    expect(soonLabel(session.starts_at, at('00:00:00') - 149 * 60_000)).toBe('in 11 hours')
    expect(soonLabel(session.starts_at, at('00:00:00') - 150 * 60_000)).toBeUndefined()
    expect(soonLabel(session.starts_at, at('00:00:00') - 86_400_000)).toBeUndefined()
  })
})

test('who was in the room, and for how long', () => {
  const stay = { first_in: '2026-06-08T08:58:00Z', last_out: '2026-06-08T09:10:00Z', minutes: 12 }
  const label = (client: typeof stay | null, practitioner: typeof stay | null) =>
    attendanceLabel({ client, practitioner }, 'Alex M.', 'Europe/London')
  expect(label(stay, null)).toBe(
    'Alex M. was in the room for 12 minutes, between 09:58 and 10:10. You were not in the room.',
  )
  expect(label(null, { ...stay, minutes: 1 })).toBe(
    'Alex M. was not in the room. You were there for 1 minute, between 09:58 and 10:10.',
  )
  expect(label({ ...stay, minutes: 0 }, null)).toContain('for less than a minute, between')
})

test.each<[string, Partial<TherapistSession>, boolean]>([
  ['booked for a time', {}, true],
  ['that took place', { status: 'completed' }, true],
  ['of help right now', { booking_type: 'get-help-right-now' }, false],
  ['that was cancelled', { status: 'cancelled' }, false],
  ['that is being checked', { frozen_until: '2026-06-10T09:00:00Z' }, false],
  ['of a client who cannot be reached', { can: { ...session.can, message: false } }, false],
])('a regular hour is offered from a session %s or not', (_which, change, isOffered) => {
  expect(canBeKept({ ...session, ...change })).toBe(isOffered)
})

const ended = { kind: 'hearth', link: '/session-room', ended_at: '2026-06-08T09:40:00Z' } as const

test.each<[string, Partial<TherapistSession>, boolean]>([
  ['that is ahead', {}, true],
  ['that runs', { can: { ...session.can, technical_failure: true } }, true],
  ['whose room was ended before its start', { room: ended }, true],
  ['whose room was ended', { room: ended, can: { ...session.can, technical_failure: true } }, false],
  ['that is over', { can: { ...session.can, cancel: false } }, false],
])('cancelling a session %s is offered or not', (_which, change, isOffered) => {
  expect(offersCancel({ ...session, ...change })).toBe(isOffered)
})

test('the dialog that cancels a session says that its time becomes free, unless it is of help right now', () => {
  expect(freedTimeLabel(session)).toMatch(/^The time becomes free for others to book\. .*add time off/)
  expect(freedTimeLabel({ ...session, booking_type: 'get-help-right-now' })).toBeUndefined()
})

test('a partial refund is named, and not what a bank took back after a dispute', () => {
  expect(refundedLabel(session)).toBeUndefined()
  expect(refundedLabel({ fee: 60, owed: 39.5, payment_change: 'partly_refunded' })).toBe(
    '£20.50 of £60 refunded',
  )
  expect(refundedLabel({ fee: 60, owed: 60, payment_change: 'taken_back' })).toBeUndefined()
  expect(refundedLabel({ fee: 60, owed: 0, payment_change: 'taken_back' })).toBeUndefined()
})

test('only what a practitioner may do to a session is offered, in the order of the buttons', () => {
  const none = {
    cancel: true,
    complete: false,
    no_show: false,
    technical_failure: false,
    allow_late_payment: false,
    message: true,
  }
  const acts = (can: Partial<typeof none>) => actsOf({ can: { ...none, ...can } }).map(({ act }) => act)
  expect(acts({})).toEqual([])
  expect(acts({ allow_late_payment: true })).toEqual(['late_payment'])
  expect(acts({ complete: true })).toEqual(['completed'])
  expect(acts({ no_show: true })).toEqual(['no_show'])
  expect(acts({ technical_failure: true })).toEqual(['failed'])
  expect(acts({ technical_failure: true, no_show: true, complete: true, allow_late_payment: true })).toEqual([
    'late_payment',
    'completed',
    'no_show',
    'failed',
  ])
})

test('the lists of sessions have an address for each page', () => {
  expect(ownSessionsPath({ when: 'upcoming' })).toBe('/therapist/sessions')
  expect(ownSessionsPath({ when: 'upcoming', page: 2 })).toBe('/therapist/sessions?page=2')
  expect(ownSessionsPath({ when: 'past', page: 1 })).toBe('/therapist/sessions?when=past')
  expect(ownSessionsPath({ when: 'past', page: 3 })).toBe('/therapist/sessions?when=past&page=3')
})
