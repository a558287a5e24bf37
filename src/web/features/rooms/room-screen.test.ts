import { expect, test } from 'vitest'
import { nextScreenAt, nextTimeLeftAt, type OnThisDevice, screenOf, timeLeftLabel } from './room-screen.ts'

const peerId = '11111111-1111-4111-8111-111111111111'
const at = (time: string) => `2026-04-01T${time}:00.000Z`
type Known = Parameters<typeof screenOf>[0]
const room: Known = {
  kind: 'hearth',
  meeting_link: null,
  state: 'waiting',
  closed_because: null,
  opens_at: at('09:45'),
  closes_at: at('11:20'),
  seat: null,
}
const seat = { peer_id: peerId, taken_at: at('09:50') }
const elsewhere = { ...seat, peer_id: '22222222-2222-4222-8222-222222222222' }
const atLink = { kind: 'own', meeting_link: 'https://rooms.example.test/own' } as const
const over = { state: 'ended', closed_because: 'over' } as const
const unpaid = { closed_because: 'unpaid' } as const
const joined: OnThisDevice = { peerId, hasJoined: true, hasLeft: false }
const come: OnThisDevice = { ...joined, hasJoined: false }

test.each<[string, Partial<Known>, OnThisDevice, string, string]>([
  ['own', 'the session is held at a link', atLink, come, '09:50'],
  ['own', 'the link is still the place after the end', { ...atLink, ...over }, come, '11:30'],
  [
    'after',
    'a session at a link is not paid yet',
    { ...atLink, ...unpaid, meeting_link: null },
    come,
    '09:50',
  ],
  ['early', 'the room is not open yet', {}, come, '09:44'],
  ['check', 'the room has just opened', {}, come, '09:45'],
  ['check', 'a device comes back to a running session', { state: 'admitted' }, come, '10:10'],
  ['waiting', 'a seat is taken', { seat }, joined, '09:50'],
  ['session', 'the client is let in', { seat, state: 'admitted' }, joined, '10:00'],
  ['after', 'the session is not paid yet', unpaid, come, '09:50'],
  ['moved', 'another device has the seat', { seat: elsewhere, state: 'admitted' }, joined, '10:00'],
  ['moved', 'another device has the seat while waiting', { seat: elsewhere }, joined, '09:50'],
  ['check', 'another device has the seat, and this one has only come', { seat: elsewhere }, come, '09:50'],
  ['left', 'this device has left', { state: 'admitted' }, { ...joined, hasLeft: true }, '10:00'],
  ['after', 'the practitioner has ended the room', { state: 'ended', seat }, joined, '10:30'],
  ['after', 'an ended room is opened anew', { state: 'ended' }, come, '10:30'],
  ['after', 'the room has closed by itself', { seat, state: 'admitted' }, joined, '11:20'],
  ['after', 'the end goes before the moved seat', { seat: elsewhere, state: 'ended' }, joined, '10:30'],
])('shows %s: %s', (screen, _reason, changes, device, time) => {
  expect(screenOf({ ...room, ...changes }, device, Date.parse(at(time)))).toBe(screen)
})

test.each([
  ['09:00', '09:45'],
  ['09:45', '11:20'],
  ['11:20', undefined],
])('at %s the screen changes by itself next at %s', (now, next) => {
  expect(nextScreenAt(room, Date.parse(at(now)))).toBe(next && Date.parse(at(next)))
})

test.each([
  ['10:39', undefined, '10:40'],
  ['10:40', 'About 10 minutes left', '10:48'],
  ['10:47', 'About 10 minutes left', '10:48'],
  ['10:48', 'About 2 minutes left', '10:50'],
  ['10:50', 'The time is up. You can finish in peace.', undefined],
  ['11:00', 'The time is up. You can finish in peace.', undefined],
])('at %s of a session that ends at 10:50 the time left is: %s', (now, label, next) => {
  expect(timeLeftLabel(at('10:50'), Date.parse(at(now)))).toBe(label)
  expect(nextTimeLeftAt(at('10:50'), Date.parse(at(now)))).toBe(next && Date.parse(at(next)))
})
