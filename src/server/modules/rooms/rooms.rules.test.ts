import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RoomState } from '#contract/rooms/rooms.ts'
import { later, minutes, seconds } from '#server/clock.ts'
import {
  type Absence,
  afterChange,
  assertRoomStep,
  closureOf,
  firstState,
  hasCome,
  isHere,
  mayBecome,
  nobodyCameFrom,
  type RoomFacts,
  roomLife,
  type SideAttendance,
  standingOf,
  wasAlone,
  wasPresent,
  wasSentAway,
  windowOf,
} from './rooms.rules.ts'

const start = new Date('2026-06-08T09:00:00Z')
const at = (time: string) => new Date(`2026-06-08T${time}Z`)
const booked: RoomFacts = {
  state: 'confirmed',
  frozen_at: null,
  appointment_type: 'online',
  kind: 'hearth',
  starts_at: start,
  ends_at: at('09:50:00'),
  follows_another: false,
  room_starts_at: null,
  room_state: null,
  admitted_at: null,
  ended_at: null,
  ended_by: null,
}
const stored = (state: RoomState, more: Partial<RoomFacts> = {}) => ({
  ...booked,
  room_starts_at: start,
  room_state: state,
  ...more,
})

describe('the window of a room', () => {
  test.each([
    ['client', false, '08:45:00'],
    ['practitioner', false, '08:45:00'],
    ['client', true, '08:45:00'],
    ['practitioner', true, '08:55:00'],
  ] as const)('for the %s, with a session before it: %s, begins at %s', (side, follows, opens) => {
    expect(windowOf({ ...booked, follows_another: follows }, side)).toEqual({
      opensAt: at(opens),
      closesAt: at('10:20:00'),
    })
  })

  test.each([
    ['08:44:59', 'waiting', false],
    ['08:45:00', 'waiting', true],
    ['10:19:59', 'waiting', true],
    ['10:20:00', 'ended', false],
  ] as const)('at %s is %s, open: %s', (time, state, isOpen) => {
    expect(standingOf(booked, 'client', at(time))).toMatchObject({ state, isOpen })
  })
})

describe('a room as it stands', () => {
  test.each([
    ['booked', booked, 'waiting', true],
    ['admitted', stored('admitted'), 'admitted', true],
    [
      'admitted for the time before it was moved',
      stored('admitted', { room_starts_at: at('08:00:00') }),
      'waiting',
      true,
    ],
    [
      'ended by the practitioner',
      stored('ended', { ended_by: 'practitioner', ended_at: start }),
      'ended',
      false,
    ],
    ['unpaid', { ...booked, state: 'reserved' }, 'waiting', false],
    ['frozen', { ...booked, frozen_at: start }, 'ended', false],
    ['frozen while admitted', stored('admitted', { frozen_at: start }), 'ended', false],
    ['frozen and unpaid', { ...booked, state: 'reserved', frozen_at: start }, 'ended', false],
    ['cancelled', stored('admitted', { state: 'cancelled' }), 'ended', false],
    ['completed', stored('admitted', { state: 'completed' }), 'admitted', true],
    ['a no-show', { ...booked, state: 'no_show' }, 'ended', false],
    ['face to face', { ...booked, appointment_type: 'face_to_face' }, 'ended', false],
    ['at the practitioner’s own link', { ...booked, kind: 'own' }, 'waiting', false],
  ] as const)('of a session that is %s', (_name, row, state, isOpen) => {
    expect(standingOf(row, 'client', start)).toMatchObject({ state, isOpen })
  })

  test('never opens outside its window or for a session that does not take place', () => {
    fc.assert(
      fc.property(
        fc.record({
          state: fc.constantFrom(
            'draft',
            'pending',
            'reserved',
            'confirmed',
            'cancelled',
            'completed',
            'no_show',
            'expired',
          ),
          isFrozen: fc.boolean(),
          kind: fc.constantFrom('hearth', 'own'),
          room: fc.constantFrom(null, 'waiting', 'admitted', 'ended'),
          follows: fc.boolean(),
          minute: fc.integer({ min: -60, max: 120 }),
          side: fc.constantFrom('client', 'practitioner'),
        }),
        ({ state, isFrozen, kind, room, follows, minute, side }) => {
          const now = later(start, minutes(minute))
          const row: RoomFacts = {
            ...booked,
            state,
            kind,
            frozen_at: isFrozen ? start : null,
            follows_another: follows,
            room_state: room,
            room_starts_at: room && start,
            ...(room === 'ended' ? { ended_at: start, ended_by: 'practitioner' as const } : {}),
          }
          const opens = side === 'practitioner' && follows ? -5 : -15
          const takesPlace = state === 'confirmed' || state === 'completed'
          const isOpen = takesPlace && !isFrozen && kind === 'hearth' && room !== 'ended'
          expect(standingOf(row, side, now).isOpen).toBe(isOpen && minute >= opens && minute < 80)
          if (minute >= 80) expect(standingOf(row, side, now).state).toBe('ended')
        },
      ),
    )
  })
})

describe('the life of a room', () => {
  const states = ['none', 'waiting', 'admitted', 'ended'] as const
  const steps = states.flatMap((from) => states.slice(1).map((to) => [from, to] as [typeof from, RoomState]))

  test.each(steps)('from %s to %s is for those in the table alone', (from, to) => {
    for (const by of ['client', 'practitioner', 'system'] as const) {
      const isListed = roomLife.some((step) => step.from === from && step.to === to && step.by === by)
      expect(mayBecome(from, to, by)).toBe(isListed || from === to)
      if (isListed || from === to) assertRoomStep(from, to, by)
      else expect(() => assertRoomStep(from, to, by)).toThrow(`from ${from} to ${to}`)
    }
  })

  test('begins with waiting, and for help right now with admission', () => {
    expect(firstState('schedule')).toBe('waiting')
    expect(firstState('get-help-right-now')).toBe('admitted')
  })

  test('lets a client do no more than come', () => {
    expect(roomLife.filter(({ by }) => by === 'client')).toMatchObject([{ from: 'none', to: 'waiting' }])
  })

  test('lets a practitioner open no room that has ended', () => {
    expect(roomLife.filter(({ from, by }) => from === 'ended' && by !== 'system')).toEqual([])
  })
})

test.each([
  ['stays as it was', stored('admitted'), undefined],
  ['was moved', stored('admitted', { starts_at: at('11:00:00') }), 'moved'],
  [
    'was moved after the practitioner ended the room',
    stored('ended', { starts_at: at('11:00:00') }),
    'moved',
  ],
  ['was cancelled', stored('admitted', { state: 'cancelled' }), 'ended'],
  ['was frozen', stored('waiting', { frozen_at: start }), 'ended'],
  ['was completed', stored('admitted', { state: 'completed' }), undefined],
  ['was missed', stored('admitted', { state: 'no_show' }), 'ended'],
  ['was cancelled after its room had ended', stored('ended', { state: 'cancelled' }), undefined],
  ['was restored', stored('ended', { ended_by: 'system' }), 'restored'],
  ['changed after the practitioner ended its room', stored('ended', { ended_by: 'practitioner' }), undefined],
] as const)('a session that %s', (_name, row, outcome) => {
  const { room_state, room_starts_at } = row
  if (!room_state || !room_starts_at) throw new Error('The room is stored.')
  expect(afterChange({ ...row, room_state, room_starts_at })).toBe(outcome)
})

test.each([
  ['is open', stored('waiting'), null],
  ['was ended by the practitioner', stored('ended', { ended_by: 'practitioner' }), 'ended'],
  ['is over', stored('ended', { ended_by: 'system' }), 'over'],
  ['belongs to a cancelled session', stored('admitted', { state: 'cancelled' }), 'cancelled'],
  [
    'was ended before its session was cancelled',
    stored('ended', { state: 'cancelled', ended_by: 'practitioner' }),
    'cancelled',
  ],
  ['belongs to a session that is checked', stored('waiting', { frozen_at: start }), 'frozen'],
  ['belongs to a missed session', stored('waiting', { state: 'no_show' }), 'missed'],
  ['belongs to a session that is not paid yet', { ...booked, state: 'reserved' as const }, 'unpaid'],
] as const)('why a room is closed that %s', (_name, row, reason) => {
  expect(closureOf(row, standingOf(row, 'client', start))).toBe(reason)
})

test('a person is there until they leave or are not seen for 30 seconds', () => {
  const seat = { seen_at: start, left_at: null }
  expect(isHere(seat, later(start, seconds(30)))).toBe(true)
  expect(isHere(seat, later(start, seconds(31)))).toBe(false)
  expect(isHere({ ...seat, left_at: start }, start)).toBe(false)
})

describe('attendance', () => {
  const came = (sessionSeconds: number, lastOut: Date = at('09:10:00')): SideAttendance => ({
    firstIn: at('08:50:00'),
    lastOut,
    seconds: sessionSeconds + 600,
    sessionSeconds,
  })

  const gone: Omit<Absence, 'client' | 'practitioner'> = { isPractitionerHere: false, isLetIn: false }

  test.each([
    ['neither side', null, null, gone, false],
    ['the client for ten minutes', came(600), null, gone, true],
    ['the client, but for a heartbeat', came(590), null, gone, true],
    ['the client for less', came(589), null, gone, false],
    ['both', came(3000), came(3000), gone, false],
    ['the practitioner alone', null, came(3000), gone, false],
    ['a practitioner who was there before the start alone', came(600), came(0), gone, true],
    ['a practitioner who was there for less than a minute', came(600), came(59), gone, true],
    ['a practitioner who was there for a minute', came(600), came(60), gone, false],
    [
      'a practitioner who comes as the client gives up',
      came(600),
      came(0),
      { ...gone, isPractitionerHere: true },
      false,
    ],
    ['a practitioner who let the client in', came(600), came(10), { ...gone, isLetIn: true }, false],
    [
      'a client let in by the acceptance of help right now',
      came(600),
      null,
      { ...gone, isLetIn: true },
      true,
    ],
  ] as const)('of %s', (_name, client, practitioner, more, alone) => {
    expect(wasAlone({ client, practitioner, ...more })).toBe(alone)
  })

  test('a practitioner has never both come and left a client alone', () => {
    const side = fc.option(
      fc.nat(3000).map((each) => came(each)),
      { nil: null },
    )
    fc.assert(
      fc.property(
        fc.record({
          client: side,
          practitioner: side,
          isPractitionerHere: fc.boolean(),
          isLetIn: fc.boolean(),
        }),
        (absence) => {
          expect(wasAlone(absence) && hasCome(absence)).toBe(false)
          const from = nobodyCameFrom(absence, booked, at('09:49:00'))
          if (hasCome(absence)) expect(from).toBe(null)
          if (wasAlone(absence)) expect(from).toEqual(at('09:10:00'))
        },
      ),
    )
  })

  test('counts ten minutes between start and end as present', () => {
    expect([null, came(0), came(589), came(590), came(3000)].map(wasPresent)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ])
  })

  test.each([
    ['before the start', '08:59:00', came(0, at('08:59:00')), null, null],
    ['at the start', '09:00:00', came(0, at('09:00:00')), null, '09:10:00'],
    ['after four minutes', '09:04:05', came(240, at('09:04:00')), null, '09:10:00'],
    ['for a client who came late', '09:05:00', came(0, at('09:05:00')), null, '09:15:00'],
    ['for a client who went after four minutes', '09:20:00', came(240, at('09:04:00')), null, '09:26:00'],
    ['after ten minutes', '09:10:05', came(600, at('09:10:00')), null, '09:10:00'],
    ['with no time left', '09:45:00', came(0, at('09:45:00')), null, null],
    ['once the practitioner came', '09:04:05', came(240, at('09:04:00')), came(60), null],
    ['after a practitioner’s glance', '09:04:05', came(240, at('09:04:00')), came(20), '09:10:00'],
    ['for a client who did not come', '09:10:00', null, null, null],
  ] as const)('lets a client report an absence %s', (_name, now, client, practitioner, from) => {
    expect(nobodyCameFrom({ client, practitioner, ...gone }, booked, at(now))).toEqual(from && at(from))
  })

  test.each([
    [
      'until their practitioner ended the room, with ten minutes left',
      '09:40:00',
      came(0, at('09:40:00')),
      true,
    ],
    ['until then, with less left', '09:40:01', came(0, at('09:40:01')), false],
    ['until then, with as much left as they still need', '09:41:00', came(60, at('09:41:00')), true],
    ['until a heartbeat before', '09:20:30', came(0, at('09:20:00')), true],
    ['until earlier', '09:20:31', came(0, at('09:20:00')), false],
  ] as const)('of a client %s', (_name, ended, client, away) => {
    const room = { ...booked, room_state: 'ended', ended_by: 'practitioner', ended_at: at(ended) } as const
    expect(wasSentAway(client, room)).toBe(away)
  })

  test('lets a client report an absence until a day after the end', () => {
    const absence = { client: came(600, at('09:10:00')), practitioner: null, ...gone }
    const asked = ['2026-06-09T09:49:59Z', '2026-06-09T09:50:00Z'].map((now) =>
      nobodyCameFrom(absence, booked, new Date(now)),
    )
    expect(asked).toEqual([at('09:10:00'), null])
  })
})
