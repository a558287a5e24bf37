import type { AnswerOf, BodyOf } from '#contract/endpoints.ts'
import type { NobodyCame } from '#contract/rooms/nobody-came.ts'
import type { Room, RoomState } from '#contract/rooms/rooms.ts'
import { later } from '../../clock.ts'
import type { KnownAttendance } from '../../contributions/lookups.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { Freezes } from '../bookings/freezes/freezes.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, notFound, type ProductError } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { absenceOf, seatOf, toKnownAttendance, toNobodyCame, toRoom } from './rooms.mapper.ts'
import { iceOf, type RelaySettings } from './rooms.relay.ts'
import {
  afterChange,
  assertRoomStep,
  firstState,
  mayBecome,
  reportableUntil,
  type Side,
  sideOf,
  standingOf,
  takesPlace,
  times,
  wasAlone,
} from './rooms.rules.ts'
import { createSignalling, seatTakenOver } from './rooms.signalling.ts'
import * as store from './rooms.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'live'> & {
  relay: RelaySettings
  practitioners: Practitioners
  bookings: Pick<Bookings, 'detail'>
  freezes: Pick<Freezes, 'cancelForAbsence'>
  payments: Pick<Payments, 'finishSoon'>
  /** Of each account. Counted in the process: a heartbeat is one statement, and its limit must not be another. */
  calls: { use(key: string): void }
  /** Of each account, likewise. */
  signals: { use(key: string): void }
}

export type Rooms = ReturnType<typeof createRooms>

/** The private room of an online session: who is in it, and whether the client was let in. */
export function createRooms(deps: Dependencies) {
  const { db, clock, live, relay, practitioners, bookings, freezes, payments, calls, signals } = deps
  const signalling = createSignalling({ db, clock, live, limit: signals })
  return {
    /** @throws 404, also for a session that is not online or was never booked */
    async detail(caller: SignedIn, id: string): Promise<Room> {
      return view(caller, ownRoom(caller, await store.findRoom(db, id)))
    },

    /**
     * Takes a seat with a device, or keeps it, and counts its time.
     * @throws 404; 409 `room_closed`, `seat_taken_over`
     */
    async seat(
      caller: SignedIn,
      id: string,
      { peer_id: peer, take }: BodyOf<'POST /appointment/{appointment_id}/room/seat'>,
    ): Promise<Room> {
      calls.use(caller.accountId)
      const side = sideOf(caller)
      const kept = await store.beat(db, { id, side, peer, account: caller.accountId, now: clock.now() })
      if (kept?.isKept) return view(caller, ownRoom(caller, kept.row))
      return inTransaction(db, async (tx) => {
        const row = await lockOpen(tx, caller, id)
        const seat = seatOf(row, side)
        // Also once that device has left: this one would be back, with its camera on, though no person has joined on it.
        if (seat && seat.peer_id !== peer && !take) throw seatTakenOver()
        const taken = {
          appointment_id: id,
          side,
          peer_id: peer,
          account_id: caller.accountId,
          login_session_id: caller.loginSessionId,
        }
        return announced(tx, caller, store.takeSeat(tx, taken, clock.now()))
      })
    },

    /** Gives up the seat of a device. Does nothing if it does not have it. @throws 404 */
    async leave(
      caller: SignedIn,
      id: string,
      { peer_id: peer }: BodyOf<'POST /appointment/{appointment_id}/room/leave'>,
    ): Promise<Room> {
      calls.use(caller.accountId)
      return inTransaction(db, async (tx) => {
        const { row, isStored } = await store.lockRoom(tx, id)
        const found = ownRoom(caller, row)
        const place = { id, side: sideOf(caller), peer, account: caller.accountId, now: clock.now() }
        if (!isStored || !(await store.leaveSeat(tx, place))) return view(caller, found)
        return changed(tx, caller, id)
      })
    },

    /** Lets the client in. @throws 404; 409 `room_closed` */
    admit: (caller: SignedIn, id: string) => become(caller, id, 'admitted'),

    /** Sends the client back to waiting. @throws 404; 409 `room_closed` */
    wait: (caller: SignedIn, id: string) => become(caller, id, 'waiting'),

    /** Ends the room for both. Repeating it changes nothing. @throws 404; 409 `room_closed` before it opens */
    end: (caller: SignedIn, id: string) => become(caller, id, 'ended'),

    /** Notes once that the practitioner is five minutes late. @throws 404; 409 `room_closed` */
    async late(caller: SignedIn, id: string): Promise<Room> {
      calls.use(caller.accountId)
      return inTransaction(db, async (tx) => {
        const row = await lockOpen(tx, caller, id)
        return row.late_at ? view(caller, row) : changed(tx, caller, id, { late_at: clock.now() })
      })
    },

    /** Shows the client the practitioner's own link. @throws 404; 409 `room_closed`, `not_set_up` without a link */
    async offerOwnLink(caller: SignedIn, id: string): Promise<Room> {
      calls.use(caller.accountId)
      return inTransaction(db, async (tx) => {
        const row = await lockOpen(tx, caller, id)
        if (row.meeting_link === null) throw fail('not_set_up', 'Your profile has no link of your own.')
        return row.own_link_at ? view(caller, row) : changed(tx, caller, id, { own_link_at: clock.now() })
      })
    },

    async settings(): Promise<AnswerOf<'GET /therapist/room-settings'>> {
      return { has_relay: relay.turn !== undefined }
    },

    /**
     * Forwards a signal to the devices of the other person, if both have a seat and the client was let in.
     * @throws 404; 403 `not_admitted`, `forbidden`; 409 `room_closed`, `seat_taken_over`; 429
     */
    signal: signalling.forward,

    /**
     * Cancels a session to which the practitioner did not come, and refunds it. Repeating it changes nothing.
     * @throws 404; 409 `too_early`, `too_late_to_change`, `not_changeable`, `attendance_missing`
     */
    async nobodyCame(
      caller: SignedIn,
      id: string,
    ): Promise<AnswerOf<'POST /appointment/{appointment_id}/nobody-came'>> {
      calls.use(caller.accountId)
      const begun = await inTransaction(db, async (tx) => {
        ownRoom(caller, await store.findRoom(tx, id))
        // The session is locked before its room, as every change of it does.
        return freezes.cancelForAbsence(tx, id, async () => {
          const locked = await store.lockRoom(tx, id)
          if (!locked.isStored) throw attendanceMissing()
          const row = ownRoom(caller, locked.row)
          const now = clock.now()
          if (now < later(row.starts_at, times.present)) throw tooEarlyToLeave()
          if (now >= reportableUntil(row)) throw tooLateToSay()
          if (!wasAlone(absenceOf(row, now))) throw attendanceMissing()
        })
      })
      await payments.finishSoon(begun)
      return bookings.detail(caller, id)
    },

    /** Sessions whose practitioner has not come so far, and from when until when their clients may report it. */
    async absences(handle: Db, ids: readonly string[]): Promise<Map<string, NobodyCame>> {
      const now = clock.now()
      const rows = await store.findRooms(handle, ids)
      return new Map(
        rows.flatMap((row) => {
          const absence = toNobodyCame(row, now)
          return absence ? [[row.id, absence] as const] : []
        }),
      )
    },

    /** As other modules know it: shown to people, and decided by. */
    async knownAttendance(handle: Db, ids: readonly string[]): Promise<Map<string, KnownAttendance>> {
      const rows = await store.readAttendance(handle, ids)
      return toKnownAttendance(rows, await store.findRooms(handle, ids), clock.now())
    },

    /** Ends the room of a session that does not take place any more, or resets it for its new time. */
    async sessionChanged(tx: Tx, id: string): Promise<void> {
      const { row, isStored } = await store.lockRoom(tx, id)
      if (!row) return
      if (!isStored) {
        const isHelpNow = firstState(row.booking_type) === 'admitted'
        if (isHelpNow && row.kind === 'hearth' && takesPlace(row)) await create(tx, row, 'system')
        return
      }
      const { room_state, room_starts_at } = row
      if (!room_state || !room_starts_at) return
      const outcome = afterChange({ ...row, room_state, room_starts_at })
      if (!outcome) return
      if (outcome === 'ended') return endBySystem(tx, row)
      await store.deleteSeats(tx, id, clock.now())
      if (outcome === 'moved') await store.deleteAttendance(tx, id)
      const state = firstState(row.booking_type)
      await changeState(tx, row, state, 'system', {
        starts_at: row.starts_at,
        admitted_at: state === 'admitted' ? clock.now() : null,
        ended_at: null,
        ended_by: null,
        late_at: null,
        own_link_at: null,
      })
      notify(tx, row)
    },

    /** Ends the rooms of a practitioner who was suspended or whose profile was closed. */
    async practitionerStopped(tx: Tx, practitionerId: number): Promise<void> {
      for (const id of await store.openRoomsOf(tx, practitionerId, clock.now())) {
        const { row, isStored } = await store.lockRoom(tx, id)
        if (row && isStored && row.room_state !== 'ended') await endBySystem(tx, row)
      }
    },

    /** Gives up the seats of an account whose sign-in session has ended. */
    async signInEnded(tx: Tx, accountId: string): Promise<void> {
      for (const { id, peer, side } of await store.seatsSignedOut(tx, accountId)) {
        const { row, isStored } = await store.lockRoom(tx, id)
        if (!row || !isStored) continue
        if (!(await store.leaveSeat(tx, { id, side, peer, account: accountId, now: clock.now() }))) continue
        await store.changeRoom(tx, id, {})
        notify(tx, row)
      }
    },

    /** Deletes seats of closed rooms, and forgets times 90 days after the outcome is final. */
    async tidy(): Promise<void> {
      const now = clock.now()
      await store.deleteSeatsOfEnded(db, later(now, -times.outcome))
      await store.forgetTimes(db, later(now, -times.outcome - times.kept))
    },
  }

  async function become(caller: SignedIn, id: string, to: RoomState): Promise<Room> {
    calls.use(caller.accountId)
    return inTransaction(db, async (tx) => {
      const now = clock.now()
      const locked = await store.lockRoom(tx, id)
      const found = ownRoom(caller, locked.row)
      if (to === 'ended' && standingOf(found, 'practitioner', now).state === 'ended')
        return view(caller, found)
      const row = await opened(tx, caller, locked)
      const from = row.room_state ?? 'none'
      if (from === to) return view(caller, row)
      if (!mayBecome(from, to, 'practitioner')) throw roomClosed(row, 'practitioner', now)
      if (to === 'ended') await store.deleteSeats(tx, id, clock.now())
      const change =
        to === 'ended'
          ? ({ ended_at: now, ended_by: 'practitioner' } as const)
          : { admitted_at: to === 'admitted' ? now : null }
      return announced(tx, caller, changeState(tx, row, to, 'practitioner', change))
    })
  }

  /** Ends a locked room, and deletes its seats. */
  async function endBySystem(tx: Tx, row: store.RoomRow): Promise<void> {
    const now = clock.now()
    await store.deleteSeats(tx, row.id, now)
    await changeState(tx, row, 'ended', 'system', { ended_at: now, ended_by: 'system' })
    notify(tx, row)
  }

  /** Creates the room of a session in its first state, and locks it. */
  async function create(tx: Tx, row: store.RoomRow, by: Side | 'system'): Promise<store.RoomRow | undefined> {
    const state = firstState(row.booking_type)
    assertRoomStep('none', state, state === 'admitted' ? 'system' : by)
    const admitted_at = state === 'admitted' ? clock.now() : null
    return store.createRoom(tx, { appointment_id: row.id, starts_at: row.starts_at, state, admitted_at })
  }

  /** Changes the state of a locked room, and reads it as it then is. */
  async function changeState(
    tx: Tx,
    row: store.RoomRow,
    to: RoomState,
    by: Side | 'system',
    change: Omit<store.RoomChange, 'state'>,
  ): Promise<store.RoomRow | undefined> {
    assertRoomStep(row.room_state ?? 'none', to, by)
    return store.changeRoom(tx, row.id, { ...change, state: to })
  }

  /**
   * The caller's room, created if need be and locked until the transaction ends.
   * @throws 404; 409 `room_closed`
   */
  async function lockOpen(tx: Tx, caller: SignedIn, id: string): Promise<store.RoomRow> {
    return opened(tx, caller, await store.lockRoom(tx, id))
  }

  /** The same for a room that is locked if it is stored. */
  async function opened(
    tx: Tx,
    caller: SignedIn,
    { row, isStored }: store.LockedRoom,
  ): Promise<store.RoomRow> {
    const side = sideOf(caller)
    const found = openRoom(caller, row)
    // Another call may have created it meanwhile, and the session may have changed while its lock was waited for.
    return isStored ? found : openRoom(caller, await create(tx, found, side))
  }

  /** @throws 404; 409 `room_closed` */
  function openRoom(caller: SignedIn, row: store.RoomRow | undefined): store.RoomRow {
    const [found, side, now] = [ownRoom(caller, row), sideOf(caller), clock.now()]
    if (!standingOf(found, side, now).isOpen) throw roomClosed(found, side, now)
    return found
  }

  /** Raises the version of a locked room, notifies both people after the commit, and returns it as the caller sees it. */
  async function changed(
    tx: Tx,
    caller: SignedIn,
    id: string,
    change: Omit<store.RoomChange, 'state'> = {},
  ): Promise<Room> {
    return announced(tx, caller, store.changeRoom(tx, id, change))
  }

  /** Notifies both people of a change after the commit, and returns the room as the caller sees it. */
  async function announced(
    tx: Tx,
    caller: SignedIn,
    reading: Promise<store.RoomRow | undefined>,
  ): Promise<Room> {
    const readFrom = performance.now()
    const row = ownRoom(caller, await reading)
    afterCommit(tx, () => signalling.changed(row, readFrom))
    return view(caller, row)
  }

  /** Notifies both people of a change after the commit. */
  function notify(tx: Tx, row: store.RoomRow): void {
    afterCommit(tx, () => signalling.tell(row))
  }

  function view(caller: SignedIn, row: store.RoomRow): Room {
    return toRoom(row, sideOf(caller), {
      now: clock.now(),
      portrait: practitioners.portrait,
      ice: (closesAt) => iceOf(relay, { appointmentId: row.id, accountId: caller.accountId }, closesAt),
    })
  }
}

/** @throws 404 unless the caller is one of the two people of an online session */
function ownRoom(caller: SignedIn, row: store.RoomRow | undefined): store.RoomRow {
  const found = owned('appointment', caller, row)
  if (found.appointment_type !== 'online') throw notFound('This room')
  return found
}

function roomClosed(row: store.RoomRow, side: Side, now: Date): ProductError {
  return fail('room_closed', closedBecause(row, side, now))
}

function closedBecause(row: store.RoomRow, side: Side, now: Date): string {
  if (row.kind === 'own') return 'This session is held at the practitioner’s own link.'
  if (row.state === 'reserved') return 'This session has not been paid for yet, so its room is closed.'
  const standing = standingOf(row, side, now)
  if (standing.state !== 'ended') return 'The room is not open yet.'
  return standing.endedBy === 'practitioner'
    ? 'The practitioner has ended this session’s room.'
    : 'The room of this session is closed.'
}

const attendanceMissing = () =>
  fail(
    'attendance_missing',
    'We can only do this at once if you were alone in the room for ten minutes of the session. Please write to us and name the session.',
  )
const tooEarlyToLeave = () =>
  fail('too_early', 'Please wait until ten minutes after the start. Your practitioner may still come.')
const tooLateToSay = () =>
  fail('too_late_to_change', 'This can be said until a day after the session. Please write to us instead.')
