import type { AppointmentType } from '#contract/common.ts'
import type {
  WaitlistEntryState,
  WaitlistOfferKind,
  WaitlistOfferState,
} from '#contract/waitlist/waitlist.ts'
import { days, hours, minuteOf, minutes, timeText } from '../../clock.ts'
import { type Step, stepsOf } from '../../life.ts'

// Life cycles ------------------------------------------------------------------------------------------------------

const entryLife: readonly Step<WaitlistEntryState, string>[] = [
  { from: 'waiting', to: 'offered', by: 'system, practitioner by hand', when: 'a turn is offered' },
  { from: 'offered', to: 'booked', by: 'client', when: 'the offered appointment is confirmed' },
  { from: 'waiting', to: 'booked', by: 'client', when: 'the time of a broadcast is booked' },
  { from: 'offered', to: 'waiting', by: 'client, system', when: 'the turn is declined, missed or withdrawn' },
  { from: 'offered', to: 'paused', by: 'system', when: 'a second turn is missed' },
  {
    from: 'waiting',
    to: 'paused',
    by: 'client, system',
    when: 'the client pauses, or the practitioner stops work',
  },
  {
    from: 'paused',
    to: 'waiting',
    by: 'client, system',
    when: 'the client goes on, or the practitioner is back',
  },
  { from: 'waiting', to: 'ended', by: 'client, system', when: 'left, over, or the practitioner is closed' },
  { from: 'offered', to: 'ended', by: 'client, system', when: 'as waiting' },
  { from: 'paused', to: 'ended', by: 'client, system', when: 'as waiting' },
]

const offerLife: readonly Step<WaitlistOfferState, string>[] = [
  { from: 'open', to: 'taken', by: 'client', when: 'paid and confirmed before the hold ends' },
  { from: 'open', to: 'declined', by: 'client', when: 'before the hold ends' },
  { from: 'open', to: 'expired', by: 'system', when: 'at the end of the hold; of a turn a miss' },
  {
    from: 'open',
    to: 'withdrawn',
    by: 'system',
    when: 'time off, suspension or closing, a mail not handed over in 10 minutes, a broadcast that was booked',
  },
]

export const assertEntryStep = stepsOf('A waitlist entry', entryLife)
export const assertOfferStep = stepsOf('A waitlist offer', offerLife)

/** The states of an entry that keeps its place. */
export const liveStates = ['waiting', 'offered', 'paused'] as const satisfies WaitlistEntryState[]
export const isLive = (state: WaitlistEntryState): boolean => liveStates.some((live) => live === state)

export const lifetimes = {
  entry: days(60),
  wish: days(60),
  /** How long before the end of an entry its client is asked whether to go on. */
  askBefore: days(7),
  /** From a change of free time to matching, so that a mistaken cancellation can be undone. */
  grace: minutes(3),
  /** For the mail of an offer to be handed over, or the client to be seen online. */
  handOver: minutes(10),
  /** Longest time from an offer to the end of its hold. */
  longestHold: hours(16),
  /** After the end of an offer, the next one of the same time belongs to the same rounds. */
  betweenRounds: minutes(10),
  betweenWishMails: days(3),
}

const maxRounds = 3
const maxMisses = 2

/** Whether an entry is paused after this many missed turns. */
export const isPausedAfter = (misses: number): boolean => misses >= maxMisses

// Rounds -----------------------------------------------------------------------------------------------------------

/** Whether a round of offers of a time may begin. After the last one the time is public. */
export function mayBeginRound(
  { round, freedAt, startsAt }: { round: number; freedAt: Date; startsAt: Date },
  now: Date,
): boolean {
  const quarter = (startsAt.getTime() - freedAt.getTime()) / 4
  return round <= maxRounds && (round === 1 || now.getTime() < freedAt.getTime() + quarter)
}

/** The last offer of a time, by which the next round is known. */
export type LastOffer = {
  kind: WaitlistOfferKind
  round: number
  freedAt: Date
  closedAt: Date | null
  state: WaitlistOfferState
}

/** The round that an offer made now belongs to. A time that was booked or public since, as a broadcast is, begins anew. */
export function roundOf(last: LastOffer | undefined, now: Date): { round: number; freedAt: Date } {
  const continues =
    last !== undefined &&
    last.kind === 'turn' &&
    last.state !== 'taken' &&
    last.closedAt !== null &&
    now.getTime() - last.closedAt.getTime() <= lifetimes.betweenRounds
  return continues ? { round: last.round + 1, freedAt: last.freedAt } : { round: 1, freedAt: now }
}

// Candidates -------------------------------------------------------------------------------------------------------

/** Minutes of the local day; `to` is excluded. */
export type Window = { weekdays: number[]; from: number; to: number }

export type Wishes = {
  service_id: number
  appointment_type: AppointmentType
  windows: readonly Window[]
  /** `YYYY-MM-DD`. */
  earliest: string | null
  latest: string | null
  lead_minutes: number
}

export type Candidate = { id: string; joinedAt: Date; hasSessionThatDay: boolean }

/** Longest waiting first; clients with a paid session with the practitioner on that day after those without. */
export function inOrder<C extends Candidate>(candidates: readonly C[]): C[] {
  return [...candidates].sort(
    (one, other) =>
      Number(one.hasSessionThatDay) - Number(other.hasSessionThatDay) ||
      one.joinedAt.getTime() - other.joinedAt.getTime() ||
      (one.id < other.id ? -1 : 1),
  )
}

/** `A. B.` of a client's names. */
export function initials(firstName: string, lastName: string): string {
  return [firstName, lastName]
    .flatMap((name) => {
      const [first] = name.trim()
      return first ? [`${first.toUpperCase()}.`] : []
    })
    .join(' ')
}

/** Windows as the wire has them, `09:00`. */
export const toWireWindows = (windows: readonly Window[]) =>
  windows.map(({ weekdays, from, to }) => ({ weekdays, from: timeText(from), to: timeText(to) }))

export const fromWireWindows = (windows: readonly { weekdays: number[]; from: string; to: string }[]) =>
  windows.map(({ weekdays, from, to }) => ({
    weekdays: [...new Set(weekdays)].sort((a, b) => a - b),
    from: minuteOf(from),
    to: minuteOf(to),
  }))
