import type { Signal } from '#contract/rooms/signals.ts'
import type { Deps } from '../../deps.ts'
import { fail, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { createLines } from './rooms.lines.ts'
import { lineOf, otherSide } from './rooms.mapper.ts'
import { type Line, sideOf } from './rooms.rules.ts'
import * as store from './rooms.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'live'> & {
  /** Of each account. */
  limit: { use(key: string): void }
}

/** Forwards signals between the two devices of a room, and notifies both people of its changes. */
export function createSignalling({ db, clock, live, limit }: Dependencies) {
  const lines = createLines(live)

  /** Notifies both people of a change that is committed. */
  function tell({ id, client_id, practitioner_account_id }: store.RoomRow): void {
    live.tell([client_id, practitioner_account_id], { type: 'room.changed', appointment_id: id })
  }

  /** The line of a room. Undefined if the session has no room yet. */
  async function read(id: string): Promise<Line | undefined> {
    const readFrom = performance.now()
    const row = await store.findRoom(db, id)
    const line = row && lineOf(row)
    if (line) lines.keep(id, line, readFrom)
    return line
  }

  return {
    tell,

    /** The same for a change of a locked room that was read since `performance.now()` was `readFrom`. */
    changed(row: store.RoomRow, readFrom: number): void {
      // The room was locked, so that only a change after this commit can have arrived before it.
      const isLast = lines.isUnchanged(row.id, readFrom)
      tell(row)
      const line = lineOf(row)
      if (line && isLast) lines.keep(row.id, line, performance.now())
    },

    /** @throws 404; 403 `not_admitted`, `forbidden`; 409 `room_closed`, `seat_taken_over`; 429 */
    async forward(caller: SignedIn, signal: Signal): Promise<void> {
      limit.use(caller.accountId)
      const side = sideOf(caller)
      const line = lines.get(signal.appointment_id) ?? (await read(signal.appointment_id))
      const own = side === 'client' ? line?.clientId : line?.practitionerAccountId
      if (!line || own !== caller.accountId) throw notFound('This room')
      if (!line.isOpen || clock.now() >= line.closesAt) {
        throw fail('room_closed', 'The room of this session is closed.')
      }
      if (!line.isAdmitted) throw fail('not_admitted', 'The practitioner has not let the client in.')
      if (line[`${side}Peer`] !== signal.from) throw seatTakenOver()
      if (line[`${otherSide(side)}Peer`] !== signal.to) {
        throw fail('forbidden', 'The other person is not in the room with that device.')
      }
      const other = side === 'client' ? line.practitionerAccountId : line.clientId
      live.send([other], 'signal', signal)
    },
  }
}

export const seatTakenOver = () =>
  fail('seat_taken_over', 'You joined this session on another device or in another tab. You can go on here.')
