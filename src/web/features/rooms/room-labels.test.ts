import { describe, expect, test } from 'vitest'
import { beforeJoiningLabel, roomOpensLabel } from './room-labels.ts'

describe('when a room opens', () => {
  const opensAt = '2026-06-16T07:45:00Z'

  test.each([
    ['the same day', 'Europe/London', '2026-06-16T06:00:00Z', 'Your room opens at 08:45'],
    [
      'the day before',
      'Europe/London',
      '2026-06-15T22:59:00Z',
      'Your room opens on Tuesday 16 June at 08:45',
    ],
    ['the same day in another zone', 'America/New_York', '2026-06-16T04:00:00Z', 'Your room opens at 03:45'],
    [
      'the day before in another zone',
      'America/New_York',
      '2026-06-16T03:59:00Z',
      'Your room opens on Tuesday 16 June at 03:45',
    ],
    [
      'another year',
      'Europe/London',
      '2025-12-31T12:00:00Z',
      'Your room opens on Tuesday 16 June 2026 at 08:45',
    ],
  ])('is named for %s', (_when, zone, now, label) => {
    expect(roomOpensLabel(opensAt, zone, Date.parse(now))).toBe(label)
  })
})

describe('before joining', () => {
  const other = { name: 'Nora Ellis' }

  test.each([
    ['client', 'waiting', 'Nora Ellis sees and hears you only after letting you in. Nothing is recorded.'],
    [
      'practitioner',
      'waiting',
      'You and Nora Ellis see and hear each other once you let them in. Nothing is recorded.',
    ],
    [
      'client',
      'admitted',
      'You see and hear each other as soon as you are both in the room. Nothing is recorded.',
    ],
    [
      'practitioner',
      'admitted',
      'You see and hear each other as soon as you are both in the room. Nothing is recorded.',
    ],
  ] as const)('a %s of a room that is %s reads when the call begins', (you, state, label) => {
    expect(beforeJoiningLabel({ you, state, other })).toBe(label)
  })
})
