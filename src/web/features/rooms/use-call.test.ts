import { expect, test } from 'vitest'
import type { Room } from '#contract/rooms/rooms.ts'
import { iceAfter } from './use-call.ts'

type Ice = NonNullable<Room['ice']>
const iceUntil = (expires_at: string | null, credential = 'first'): Ice => ({
  servers: [{ urls: ['turn:relay.example.test'], username: 'holder', credential }],
  has_relay: true,
  relay_only: true,
  may_go_direct: true,
  expires_at,
})
const known = iceUntil('2026-04-01T11:20:00.000Z')
const ofAnotherEnd = iceUntil('2026-04-01T15:20:00.000Z')

test.each([
  ['the first of a room are used', null, known, known],
  ['others of the same end do not end a connection that stands', known, { ...known, servers: [] }, known],
  ['they stay while the room is closed', known, null, known],
  ['those of a session that was moved are used', known, ofAnotherEnd, ofAnotherEnd],
  ['servers without credentials stay', iceUntil(null), iceUntil(null, 'second'), iceUntil(null)],
] as const)('credentials of the relay: %s', (_name, before, ice, after) => {
  expect(iceAfter(before, ice)).toEqual(after)
})
