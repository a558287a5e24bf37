import { expect, test } from 'vitest'
import { later, seconds } from '../../clock.ts'
import { familiesOf, judgeRefresh, keptSince } from './accounts.rules.ts'

const now = new Date('2026-06-01T09:00:00Z')
const token = { expires_at: later(now, 1), spent_at: null, ended_at: null }
const spent = (ago: number) => ({ ...token, spent_at: later(now, -ago) })

test.each([
  ['rotate', 'that can be spent', token],
  ['refuse', 'that is unknown', undefined],
  ['refuse', 'at the moment it expires', { ...token, expires_at: now }],
  ['refuse', 'of a sign-in that was ended', { ...token, ended_at: now }],
  ['repeat', 'spent 30 seconds ago', spent(seconds(30))],
  ['reuse', 'spent longer ago', spent(seconds(30) + 1)],
  ['refuse', 'spent a moment ago by a sign-in that was ended', { ...spent(1), ended_at: now }],
  ['refuse', 'spent long ago that has expired', { ...spent(seconds(60)), expires_at: now }],
] as const)('%s: a refresh token %s', (verdict, _, row) => {
  expect(judgeRefresh(row, now)).toBe(verdict)
})

test.each([
  ['2033-04-05T23:59:59.999Z', '2026-04-06T00:00:00.000Z'],
  ['2033-04-06T00:00:00.000Z', '2027-04-06T00:00:00.000Z'],
  ['2033-12-31T23:59:59.999Z', '2027-04-06T00:00:00.000Z'],
  ['2034-01-01T00:00:00.000Z', '2027-04-06T00:00:00.000Z'],
])('at %s records are kept of payments since %s', (at, since) => {
  expect(keptSince(new Date(at)).toISOString()).toBe(since)
})

test('sign-ins of one browser are listed together, in the order of the first, and older ones each by itself', () => {
  const row = (id: string, family_id: string | null) => ({
    id,
    family_id,
    device: null,
    created_at: now,
    last_used_at: now,
  })
  const rows = [row('1', null), row('2', 'phone'), row('3', null), row('4', 'phone')]
  expect(familiesOf(rows).map((family) => family.map(({ id }) => id))).toEqual([['1'], ['2', '4'], ['3']])
})
