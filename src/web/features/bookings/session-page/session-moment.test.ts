import { expect, test } from 'vitest'
import { momentOf, nextMomentAt } from './session-moment.ts'

const session = {
  status: 'confirmed',
  starts_at: '2026-06-08T09:00:00Z',
  ends_at: '2026-06-08T09:15:00Z',
  frozen_until: null,
  room: null,
} as const
const room = { kind: 'hearth', link: '/session-room?appointment=1', ended_at: null } as const
const at = (time: string) => Date.parse(`2026-06-08T${time}Z`)

test.each([
  ['08:44:59', 'ahead', '08:45:00'],
  ['08:45:00', 'soon', '09:00:00'],
  ['09:00:00', 'live', '09:15:00'],
  ['09:14:59', 'live', '09:15:00'],
  ['09:15:00', 'over', undefined],
] as const)('a session at %s is %s, and next changes at %s', (time, moment, next) => {
  expect(momentOf(session, at(time))).toBe(moment)
  expect(nextMomentAt(session, at(time))).toBe(next && at(next))
})

test('what became of a session counts more than the time', () => {
  const now = at('09:05:00')
  const after = (change: object) => {
    const changed = { ...session, ...change }
    return [momentOf(changed, now), nextMomentAt(changed, now)]
  }
  expect(after({ status: 'cancelled' })).toEqual(['cancelled', undefined])
  expect(after({ status: 'cancelled', frozen_until: '2026-06-08T10:00:00Z' })).toEqual([
    'cancelled',
    undefined,
  ])
  expect(after({ frozen_until: '2026-06-08T10:00:00Z' })).toEqual(['frozen', undefined])
  expect(after({ room: { ...room, ended_at: '2026-06-08T09:04:00Z' } })).toEqual(['over', undefined])
  expect(after({ room })).toEqual(['live', at('09:15:00')])
  expect(after({ status: 'completed' })).toEqual(['over', undefined])
  expect(after({ status: 'no_show' })).toEqual(['missed', undefined])
})
