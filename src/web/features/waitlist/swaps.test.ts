import { expect, test } from 'vitest'
import { isSwappable, swapLabel } from './swaps.ts'

const now = Date.parse('2026-06-01T09:00:00Z')
const session = {
  practitioner_id: 7,
  status: 'confirmed' as const,
  starts_at: '2026-06-16T09:00:00Z',
  change: { allowed: true, until: '2026-06-14T09:00:00Z' },
}

test('a paid session and a reserved one can be swapped, each until it can no longer be changed', () => {
  for (const status of ['confirmed', 'reserved'] as const) {
    expect(isSwappable({ ...session, status }, 7, now)).toBe(true)
    const until = (change: (typeof session)['change'] | { allowed: boolean; until: null }) =>
      isSwappable({ ...session, status, change }, 7, now)
    expect(until({ allowed: true, until: '2026-06-01T09:00:00Z' })).toBe(false)
    expect(until({ allowed: true, until: null })).toBe(false)
    expect(until({ allowed: false, until: null })).toBe(false)
  }
})

test('a hold, and a session with another practitioner, cannot be swapped', () => {
  expect(isSwappable({ ...session, status: 'pending' }, 7, now)).toBe(false)
  expect(isSwappable(session, 8, now)).toBe(false)
})

test('a reserved session is named as one that has not been paid for', () => {
  expect(swapLabel(session, 'Europe/London', now)).toBe('Tuesday 16 June, 10:00')
  expect(swapLabel({ ...session, status: 'reserved' }, 'Europe/London', now)).toBe(
    'Tuesday 16 June, 10:00 (reserved, not paid yet)',
  )
})
