import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Series, SeriesDate } from '#contract/series/series.ts'
import { choiceOf, resolved } from './ConflictChoice.tsx'
import {
  chargeLabel,
  dateLabel,
  dayOfDate,
  endedLabel,
  endsLabel,
  hourLabel,
  newHourLabel,
} from './series-labels.ts'

// Days of another year are named with it.
beforeAll(() => vi.useFakeTimers({ now: new Date('2026-03-01T12:00:00Z'), toFake: ['Date'] }))
afterAll(() => vi.useRealTimers())

const london = 'Europe/London'
const rhythm = { weekday: 2, start: '10:00', every_weeks: 1, duration_minutes: 50, timezone: london } as const
const date: SeriesDate = {
  on_date: '2026-03-10',
  state: 'planned',
  starts_at: '2026-03-10T10:00:00Z',
  ends_at: '2026-03-10T10:50:00Z',
  rhythm_starts_at: '2026-03-10T10:00:00Z',
  appointment_id: '00000000-0000-4000-8000-000000000000',
  session_status: 'reserved',
  fee: 60,
  payment: 'not_yet',
  pay_at: '2026-03-08T10:00:00Z',
  pay_by: '2026-03-09T10:00:00Z',
  taken_at_once: false,
  reserved_from: null,
  conflict: null,
  can: {
    skip: true,
    restore: false,
    move: true,
    choose_time: false,
    keep: false,
    pay: false,
    allow_late_payment: false,
  },
}
const conflict = {
  on_date: '2026-03-10',
  starts_at: '2026-03-10T10:00:00Z',
  cause: 'time_off' as const,
  alternatives: [{ starts_at: '2026-03-11T10:00:00Z', ends_at: '2026-03-11T10:50:00Z' }],
}

test('the hour of a series is named with its clock where the reader’s shows another time', () => {
  const series = { rhythm, dates: [date] }
  expect(hourLabel(series, london)).toBe('Tuesdays 10:00')
  expect(hourLabel(series, 'Europe/Lisbon')).toBe('Tuesdays 10:00')
  expect(hourLabel(series, 'America/New_York')).toBe('Tuesdays 10:00 (London time)')
  expect(hourLabel({ rhythm, dates: [] }, 'Australia/Sydney')).toBe('Tuesdays 10:00 (London time)')
})

test('an hour is named by another zone’s clock, with the weekday where that differs', () => {
  expect(newHourLabel('2026-03-10T10:00:00Z', rhythm, 'Europe/Paris')).toBe('11:00')
  expect(newHourLabel('2026-03-10T20:00:00Z', rhythm, 'Australia/Sydney')).toBe('Wednesdays 07:00')
  expect(newHourLabel('2026-03-10T03:00:00Z', rhythm, 'America/New_York')).toBe('Mondays 23:00')
})

describe('where a date stands', () => {
  test.each([
    [{}, 'Not paid yet: £60 will be taken on Sunday 8 March, 10:00.'],
    [
      { pay_at: '2026-03-01T11:59:00Z', can: { ...date.can, pay: true } },
      'Not paid yet. Pay by Monday 9 March, 10:00, or the hour becomes free.',
    ],
    [{ payment: 'paid', session_status: 'confirmed' }, 'Paid: £60.'],
    [
      { payment: 'due' },
      'The payment did not go through. Pay by Monday 9 March, 10:00, or the hour becomes free.',
    ],
    [{ payment: 'checking' }, 'Your payment is being checked.'],
    [{ state: 'skipped' }, 'Skipped. Nothing is charged.'],
    [{ state: 'later', reserved_from: '2026-03-03' }, 'Reserved from Tuesday 3 March.'],
    [{ state: 'conflict', conflict }, 'Your practitioner is away. Not reserved.'],
    [{ state: 'released', payment: 'refunded' }, 'Cancelled, the money is on its way back.'],
    [{ state: 'released', payment: 'missed' }, 'Not paid in time, so it was cancelled. Nothing was charged.'],
    [{ state: 'released', payment: 'none' }, 'Cancelled.'],
  ] satisfies [Partial<SeriesDate>, string][])('%o reads %s', (change, words) => {
    expect(dateLabel({ ...date, ...change }, london)).toBe(words)
  })

  test('has words of its own for the practitioner', () => {
    const you = 'practitioner'
    expect(dateLabel({ ...date, payment: 'due' }, london, { you })).toBe(
      'Not paid: the client has until Monday 9 March, 10:00.',
    )
    expect(dateLabel({ ...date, state: 'conflict', conflict }, london, { you })).toBe(
      'You have time off. Not reserved.',
    )
  })

  test('names another way to pay where no card is good on the day', () => {
    const pays = { brand: 'visa', last4: '4242', customer_id: 'c', declined: false, expires_soon: false }
    const read = (card: Series['card']) => dateLabel(date, london, { you: 'client', card })
    const words =
      'Not paid yet, and no card is set to pay it. Choose one, or pay from Sunday 8 March, 10:00. Pay by Monday 9 March, 10:00, or the hour becomes free.'
    expect(read(null)).toBe(words)
    expect(read({ ...pays, expiry_month: 2, expiry_year: 2026 })).toBe(words)
    expect(read({ ...pays, expiry_month: 3, expiry_year: 2026 })).toMatch(/will be taken on Sunday 8 March/)
    expect(dateLabel(date, london, { you: 'practitioner', card: null })).toMatch(/will be taken/)
  })

  test('names no moment of the payment while the series waits for one', () => {
    const paused = { until: null, pay_appointment_id: null } as const
    const read = (cause: 'unpaid' | 'suspension') =>
      dateLabel(date, london, { you: 'client', paused: { ...paused, cause } })
    expect(read('unpaid')).toBe('Not paid yet.')
    expect(read('suspension')).toMatch(/will be taken on Sunday 8 March/)
    const lacking = { ...date, card_set: false }
    const suspended = { ...paused, cause: 'suspension' } as const
    expect(dateLabel(lacking, london, { you: 'client', paused: suspended })).toBe('Not paid yet.')
  })

  test('says that an unpaid session is being checked', () => {
    const words = 'Being checked. Nothing is charged meanwhile.'
    for (const payment of ['not_yet', 'due'] as const)
      expect(dateLabel({ ...date, payment, frozen: true }, london)).toBe(words)
    expect(dateLabel({ ...date, payment: 'paid', frozen: true }, london)).toMatch(/^Paid/)
  })

  describe('while a new price is not answered', () => {
    const price_change = {
      fee: 65,
      from_date: '2026-03-10',
      asked_at: '2026-02-01T12:00:00Z',
      answer_by: '2026-03-07T10:00:00Z',
      answer: null,
    } as const
    const later = { ...date, state: 'later', payment: 'none', reserved_from: '2026-03-03' } as const

    test('names no amount from its first day on, to either of the two', () => {
      expect(dateLabel(date, london, { you: 'client', price_change })).toBe(
        'Not paid yet: the price depends on your answer.',
      )
      expect(dateLabel(date, london, { you: 'practitioner', price_change })).toBe(
        'Not paid yet: the price depends on the client’s answer.',
      )
      expect(dateLabel(later, london, { you: 'client', price_change })).toBe('Depends on your answer.')
      expect(dateLabel(later, london, { you: 'practitioner', price_change })).toBe(
        'Depends on the client’s answer.',
      )
    })

    test('keeps what is said of the dates before it, of paid ones, and once it is answered', () => {
      const before = { ...price_change, from_date: '2026-03-17' }
      const taken = 'Not paid yet: £60 will be taken on Sunday 8 March, 10:00.'
      expect(dateLabel(date, london, { you: 'client', price_change: before })).toBe(taken)
      const accepted = { ...price_change, answer: 'accepted' } as const
      expect(dateLabel(date, london, { you: 'client', price_change: accepted })).toBe(taken)
      expect(dateLabel({ ...date, payment: 'paid' }, london, { you: 'client', price_change })).toBe(
        'Paid: £60.',
      )
    })
  })

  test('names the payment on the clocks of the reader, which changed that day in New York', () => {
    const newYork = 'America/New_York'
    expect(dateLabel(date, newYork)).toBe('Not paid yet: £60 will be taken on Sunday 8 March, 06:00.')
    expect(dateLabel({ ...date, payment: 'due' }, newYork)).toBe(
      'The payment did not go through. Pay by Monday 9 March, 06:00, or the hour becomes free.',
    )
    expect(chargeLabel(date, newYork)).toBe('£60, taken Sunday 8 March, 06:00')
    const before = { ...date, pay_at: '2026-03-07T10:00:00Z' }
    expect(chargeLabel(before, newYork)).toBe('£60, taken Saturday 7 March, 05:00')
  })

  test('names the moment of the payment before the client agrees', () => {
    expect(chargeLabel(date, london)).toBe('£60, taken Sunday 8 March, 10:00')
    expect(chargeLabel({ ...date, taken_at_once: true }, london)).toBe('£60, taken when you agree')
  })
})

describe('what becomes of a date that cannot be had', () => {
  const taken: SeriesDate = { ...date, state: 'conflict', conflict }

  test('is skipped unless another time is chosen', () => {
    expect(choiceOf(date, {})).toBe('keep')
    expect(choiceOf(taken, {})).toBe('skip')
    expect(resolved([taken], { '2026-03-10': '2026-03-11T10:00:00Z' })).toEqual([
      { on_date: '2026-03-10', action: 'move', starts_at: '2026-03-11T10:00:00Z' },
    ])
  })

  test('is as if nothing had been chosen once the chosen time is taken, or the hour free again', () => {
    const chosen = { '2026-03-10': '2026-03-12T10:00:00Z' }
    expect(choiceOf(taken, chosen)).toBe('skip')
    expect(resolved([{ ...taken, conflict: null, state: 'planned' }], chosen)).toEqual([
      { on_date: '2026-03-10', action: 'keep' },
    ])
  })

  test('may be skipped without a conflict', () => {
    expect(choiceOf(date, { '2026-03-10': 'skip' })).toBe('skip')
  })

  test('waits where the date is not reserved yet', () => {
    expect(resolved([{ ...taken, state: 'later' }], {})).toEqual([{ on_date: '2026-03-10', action: 'keep' }])
  })
})

describe('with which session a series ends', () => {
  const hour = { rhythm, first_on: '2026-03-03', dates: [date] }
  const skipped: SeriesDate = { ...date, state: 'skipped', session_status: null }

  test.each([
    [{ last_on: null }, undefined],
    [{ last_on: '2026-03-10' }, 'Ends with the session on Tuesday 10 March, 10:00.'],
    // A last day between two sessions.
    [{ last_on: '2026-03-16' }, 'Ends with the session on Tuesday 10 March, 10:00.'],
    // The dates that are shown do not reach that far.
    [{ last_on: '2026-08-10' }, 'Ends with the session on Tuesday 4 August.'],
    [{ last_on: '2026-03-10', dates: [skipped] }, 'No further session takes place.'],
  ] as const)('%o reads %s', (change, words) => {
    expect(endsLabel({ ...hour, ...change, dates: [...(change.dates ?? hour.dates)] }, london)).toBe(words)
  })
})

describe('why a series has ended', () => {
  const ended = (by: 'client' | 'practitioner' | 'system', cause: NonNullable<Series['ended']>['cause']) => ({
    at: '2026-03-10T10:00:00Z',
    by,
    cause,
    reason: null,
  })

  test.each([
    ['client', ended('client', 'by_choice'), 'You ended it'],
    ['client', ended('practitioner', 'by_choice'), 'Ended by your practitioner'],
    ['practitioner', ended('client', 'declined'), 'Declined by the client'],
    ['client', ended('system', 'unpaid'), 'Ended because sessions were not paid'],
    ['client', ended('system', 'not_answered'), 'Not answered in time'],
  ] as const)('the %s reads of %o: %s', (you, end, words) => {
    expect(endedLabel({ you, ended: end, proposed_by: 'practitioner' })).toBe(words)
  })

  test.each([
    ['practitioner', 'practitioner', 'practitioner', 'You withdrew your offer'],
    ['client', 'practitioner', 'practitioner', 'Your practitioner withdrew the offer'],
    ['client', 'client', 'client', 'You withdrew your request'],
    ['practitioner', 'client', 'client', 'The client withdrew the request'],
    ['practitioner', 'practitioner', 'client', 'You declined it'],
    ['client', 'practitioner', 'client', 'Declined by your practitioner'],
    ['client', 'client', 'practitioner', 'You declined it'],
  ] as const)(
    'the %s reads of what the %s ended and the %s had proposed: %s',
    (you, by, proposed_by, words) => {
      expect(endedLabel({ you, ended: ended(by, 'declined'), proposed_by })).toBe(words)
    },
  )
})

test('a date takes place on a day of the zone that is asked for, also one that is not among those shown', () => {
  const series = { rhythm, dates: [{ ...date, starts_at: '2026-03-12T23:30:00Z' }] }
  expect(dayOfDate(series, '2026-03-10', london)).toBe('2026-03-12')
  expect(dayOfDate(series, '2026-03-10', 'Europe/Berlin')).toBe('2026-03-13')
  expect(dayOfDate(series, '2026-12-15', london)).toBe('2026-12-15')
  expect(dayOfDate(series, '2026-12-15', 'Pacific/Auckland')).toBe('2026-12-15')
  const sydney = { dates: [], rhythm: { ...rhythm, start: '08:00', timezone: 'Australia/Sydney' } }
  expect(dayOfDate(sydney, '2026-12-15', london)).toBe('2026-12-14')
})
