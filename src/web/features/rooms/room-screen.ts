import type { Room } from '#contract/rooms/rooms.ts'

/**
 * What the room's page shows. `own`: the session is held at the practitioner's own link. `moved`: another device of the same
 * person has the seat. `left`: this device has left, and may come back.
 */
export type RoomScreen = 'own' | 'early' | 'check' | 'waiting' | 'session' | 'moved' | 'left' | 'after'

type Known = Pick<
  Room,
  'kind' | 'meeting_link' | 'state' | 'opens_at' | 'closes_at' | 'seat' | 'closed_because'
>

export type OnThisDevice = {
  peerId: string
  /** The person has gone through the device check and joined. */
  hasJoined: boolean
  hasLeft: boolean
}

/** @param now by the server's clock, in epoch milliseconds */
export function screenOf(room: Known, device: OnThisDevice, now: number): RoomScreen {
  // A session that does not take place has no link, and says why.
  if (room.kind === 'own' && (room.meeting_link !== null || room.closed_because === null)) return 'own'
  if (room.closed_because !== null || room.state === 'ended' || now >= Date.parse(room.closes_at))
    return 'after'
  if (now < Date.parse(room.opens_at)) return 'early'
  if (device.hasLeft) return 'left'
  if (!device.hasJoined) return 'check'
  if (room.seat && room.seat.peer_id !== device.peerId) return 'moved'
  return room.state === 'admitted' ? 'session' : 'waiting'
}

/** When the screen changes by itself, in epoch milliseconds; undefined if it does not. */
export function nextScreenAt(room: Known, now: number): number | undefined {
  return [room.opens_at, room.closes_at].map((each) => Date.parse(each)).find((each) => each > now)
}

/** Minutes before the end at which the time left is shown. */
const toldAt = [10, 2]

/** The sentence about the time left; undefined while there is enough. */
export function timeLeftLabel(endsAt: string, now: number): string | undefined {
  const left = Date.parse(endsAt) - now
  if (left <= 0) return 'The time is up. You can finish in peace.'
  const minutes = toldAt.findLast((each) => left <= each * 60_000)
  return minutes === undefined ? undefined : `About ${minutes} minutes left`
}

/** When that sentence changes, in epoch milliseconds; undefined after the last one. */
export function nextTimeLeftAt(endsAt: string, now: number): number | undefined {
  const end = Date.parse(endsAt)
  return [...toldAt.map((minutes) => end - minutes * 60_000), end].find((each) => each > now)
}
