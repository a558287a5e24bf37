import { expect, test } from 'vitest'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import { clientInstants, firstAfter, hasEnded, practitionerInstants } from './session-instants.ts'

const starts_at = '2026-06-08T09:00:00Z'
const no_show_from = '2026-06-08T09:15:00Z'
const ends_at = '2026-06-08T09:50:00Z'
const settles_at = '2026-06-09T09:50:00Z'
const until = '2026-06-06T09:00:00Z'
const dispute_until = '2026-06-22T09:15:00Z'

test.each([
  ['before the start', '2026-06-08T08:00:00Z', starts_at],
  ['at the start', starts_at, no_show_from],
  ['once a no-show can be declared', no_show_from, ends_at],
  ['at the end', ends_at, settles_at],
  ['once it has settled', settles_at, undefined],
])('%s, a practitioner’s session is read again at the next instant', (_, now, next) => {
  const session = { starts_at, no_show_from, ends_at, settles_at } as TherapistSession
  expect(firstAfter(practitionerInstants(session), Date.parse(now))).toBe(next && Date.parse(next))
})

test.each([
  ['while it can be changed', '2026-06-01T09:00:00Z', until],
  ['before the start', until, starts_at],
  ['at the start', starts_at, ends_at],
  ['at the end', ends_at, dispute_until],
  ['once a no-show can no longer be disputed', dispute_until, undefined],
])('%s, a client’s session is read again at the next instant', (_, now, next) => {
  const no_show = { dispute_until } as Parameters<typeof clientInstants>[0]['no_show']
  const session = { starts_at, ends_at, change: { allowed: true, until }, no_show }
  expect(firstAfter(clientInstants(session), Date.parse(now))).toBe(next && Date.parse(next))
})

test('a session without a time is not read again', () => {
  const change = { allowed: false, until: null }
  const session = { starts_at: null, ends_at: null, change, no_show: null }
  expect(firstAfter(clientInstants(session), 0)).toBeUndefined()
})

const room = (ended_at: string | null) => ({ kind: 'hearth', link: '/session-room', ended_at }) as const

test.each([
  ['is running', false, { ends_at, room: null }, '2026-06-08T09:49:59Z'],
  ['has reached its end', true, { ends_at, room: null }, ends_at],
  ['was ended for both before its end', true, { ends_at, room: room(no_show_from) }, no_show_from],
  ['runs in an open room', false, { ends_at, room: room(null) }, no_show_from],
  ['has no time', false, { ends_at: null, room: null }, ends_at],
])('a session that %s has ended: %s', (_, ended, session, now) => {
  expect(hasEnded(session, Date.parse(now))).toBe(ended)
})
