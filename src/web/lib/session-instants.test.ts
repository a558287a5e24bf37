import { expect, test } from 'vitest'
import { hasEnded } from './session-instants.ts'

const no_show_from = '2026-06-08T09:15:00Z'
const ends_at = '2026-06-08T09:50:00Z'
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
