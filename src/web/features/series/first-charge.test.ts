import { expect, test } from 'vitest'
import { firstChargeLabel } from './first-charge.ts'

const now = Date.parse('2026-03-09T12:00:00Z')
const free = {
  on_date: '2026-03-10',
  state: 'free',
  conflict: null,
  fee: 60,
  taken_at_once: true,
} as const
const next = { ...free, on_date: '2026-03-17', taken_at_once: false }
const inTheWay = {
  on_date: '2026-03-12',
  starts_at: '2026-03-12T10:00:00Z',
  cause: 'taken' as const,
  alternatives: ['2026-03-11T11:00:00Z', '2026-03-13T11:00:00Z'].map((starts_at) => ({
    starts_at,
    ends_at: new Date(Date.parse(starts_at) + 50 * 60_000).toISOString(),
  })),
}

test('the first charge has the discount of a first session taken off', () => {
  expect(firstChargeLabel([{ ...free, fee: 48 }, next], {}, now)).toBe(
    '£48 is charged now, for what is less than two days away.',
  )
})

test('the first charge counts a date that is moved to less than two days ahead, and no other date', () => {
  const taken = {
    ...free,
    on_date: '2026-03-12',
    state: 'conflict',
    conflict: inTheWay,
    taken_at_once: false,
  } as const
  const nothing = 'Nothing is charged now. Free until we take the payment.'
  const moved = (to: string) => firstChargeLabel([taken, next], { '2026-03-12': to }, now)
  expect(moved('2026-03-11T11:00:00Z')).toBe('£60 is charged now, for what is less than two days away.')
  expect(moved('2026-03-13T11:00:00Z')).toBe(nothing)
  expect(moved('skip')).toBe(nothing)
  expect(firstChargeLabel([{ ...taken, taken_at_once: true }, next], {}, now)).toBe(nothing)
})
