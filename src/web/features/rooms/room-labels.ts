import type { Room } from '#contract/rooms/rooms.ts'
import { atTime, formatTime, type InstantLike, viewerZone } from '#web/lib/time.ts'

/** 10:00, where this device is. */
export function clockTime(instant: string): string {
  return formatTime(instant, viewerZone())
}

/** When a room opens, with its day unless that is today. */
export function roomOpensLabel(opensAt: string, zone: string, now: InstantLike): string {
  return `Your room opens ${atTime(opensAt, zone, now)}`
}

type BeforeJoining = Pick<Room, 'you' | 'state'> & { other: Pick<Room['other'], 'name'> }

/** When the two see and hear each other, for a person who has not joined yet. */
export function beforeJoiningLabel({ you, state, other: { name } }: BeforeJoining): string {
  const callBegins =
    state === 'admitted'
      ? 'You see and hear each other as soon as you are both in the room.'
      : you === 'client'
        ? `${name} sees and hears you only after letting you in.`
        : `You and ${name} see and hear each other once you let them in.`
  return `${callBegins} Nothing is recorded.`
}
