import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { later, minutes } from '../../../clock.ts'
import { judgeMail, judgeReminder, type ReminderKind, reminders } from './bookings.mails.rules.ts'

const startsAt = new Date('2026-06-10T09:00:00Z')
const before = (count: number) => later(startsAt, -minutes(count))
const session = {
  state: 'confirmed',
  starts_at: startsAt,
  ends_at: later(startsAt, minutes(50)),
  first_booked_at: before(60 * 96),
  frozen_at: null,
  pay_at: null,
  pay_by: null,
  cancel_code: null,
} as const

describe.each(Object.entries(reminders))('a reminder %s', (name, { notified, due, latest }) => {
  const kind = name as ReminderKind

  test('is sent from when it is due until it is of no more use, and at no other time', () => {
    fc.assert(
      fc.property(fc.integer({ min: -60, max: 48 * 60 }), (minutesBefore) => {
        const now = before(minutesBefore)
        const left = minutes(minutesBefore)
        const verdict = judgeReminder(kind, { startsAt, notifiedAt: before(60 * 24 * 14) }, now)
        expect(verdict).toBe(left > due ? 'later' : left >= latest ? 'send' : 'drop')
      }),
    )
  })

  test('is never sent to a recipient who just got a mail with the time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 * 48 }), fc.integer({ min: 0, max: 60 * 48 }), (at, since) => {
        const notifiedAt = before(since)
        fc.pre(notifiedAt <= before(at))
        const verdict = judgeReminder(kind, { startsAt, notifiedAt }, before(at))
        if (minutes(since) < notified) expect(verdict).toBe('drop')
      }),
    )
  })

  test('is due before its latest time, and after the time from which another mail replaces it', () => {
    expect(latest).toBeLessThan(due)
    expect(due).toBeLessThan(notified)
  })
})

describe('a mail to a practitioner about a move', () => {
  const now = before(60 * 20)
  const mail = { kind: 'moved', recipient: 'practitioner', sequence: 2, created_at: before(60 * 72) } as const
  const judge = (changes: object, ...others: { kind: 'day_before' | 'moved' | 'refunded' }[]) => {
    const newer = others.map((other) => ({ ...mail, ...other, sequence: 4 }))
    return judgeMail(mail, [mail, ...newer], { ...session, ...changes }, [], now)
  }

  test('waits while the session is frozen, and no longer once it is cancelled or over', () => {
    const frozen = { frozen_at: before(60 * 48) }
    expect(judge(frozen)).toBe('later')
    expect(judge({})).toBe('send')
    expect(judge({ ...frozen, state: 'cancelled' })).toBe('drop')
    expect(judge({ ...frozen, ends_at: now })).toBe('drop')
  })

  test('is replaced by a newer move, and not by a reminder or a refund, which have no calendar entry', () => {
    expect(judge({}, { kind: 'moved' })).toBe('drop')
    expect(judge({}, { kind: 'day_before' }, { kind: 'refunded' })).toBe('send')
  })
})

test('a mail about refunds waits until all of them have succeeded, and is dropped when none returns money', () => {
  const mail = { kind: 'refunded', recipient: 'client', sequence: 2, created_at: startsAt } as const
  const judge = (...states: string[]) =>
    judgeMail(
      mail,
      [mail],
      session,
      states.map((state) => ({ state })),
      startsAt,
    )
  expect(judge('succeeded', 'succeeded')).toBe('send')
  expect(judge('succeeded', 'requested')).toBe('later')
  expect(judge()).toBe('drop')
})
