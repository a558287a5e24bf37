import { createHash } from 'node:crypto'
import { days, hours, later, minutes } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { beforeCommit, inTransaction } from '../../db/transaction.ts'
import { errorName } from '../../errors.ts'
import type { FreeSlot } from '../availability/availability.rules.ts'
import { type Availability, localDay, startOfDay, clocksOf } from '../availability/availability.service.ts'
import type { WaitlistDependencies } from './waitlist.deps.ts'
import { waitlistMatchJob, waitlistNextJob } from './waitlist.jobs.ts'
import { handOverBy, type Offers } from './waitlist.offers.ts'
import { planOffer, suits } from './turns.ts'
import { inOrder, lifetimes, mayBeginRound, newlyFree, roundOf } from './waitlist.rules.ts'
import * as offerStore from './offers.store.ts'
import * as snapshots from './snapshots.store.ts'
import * as store from './waitlist.store.ts'

type Dependencies = WaitlistDependencies & { offers: Offers }
type Times = NonNullable<Awaited<ReturnType<Availability['freeTimes']>>>

/** Most offers of one run; the next run takes the rest. */
const offersPerRun = 200
/** How many of those who wait are read at first: one of them can nearly always use a time. */
const readFirst = 30
/** How many of a kind one sweep looks after. */
const sweepBatch = 200

/** Those who wait for a practitioner, longest waiting first; the others are read when they are needed. */
type Waiting = {
  first: readonly store.WaitingRow[]
  others(): Promise<readonly store.WaitingRow[]>
}

export type Matching = ReturnType<typeof createMatching>

/** Finds what has newly come free and offers it to those who wait, longest waiting first. */
export function createMatching(deps: Dependencies) {
  const { db, clock, queue, log, practitioners, availability, offered, offers, outbox, lookups, checkpoint } =
    deps

  return {
    /** Marks a practitioner whose free time may have grown, if a client waits: by `freed`, if that is known. */
    async note(tx: Tx, practitionerId: number, freed?: snapshots.Freed): Promise<void> {
      const now = clock.now()
      const due = { match: later(now, lifetimes.grace), next: now }
      const singletonKey = String(practitionerId)
      for (const { is_next_round } of await snapshots.insertMarks(tx, practitionerId, due, freed)) {
        const data = { practitioner_id: practitionerId }
        if (is_next_round) await queue.enqueue(tx, waitlistNextJob, data, { singletonKey })
        else await queue.enqueue(tx, waitlistMatchJob, data, { singletonKey, startAfter: due.match })
      }
    },

    run,
    sweep,

    /**
     * Offers the time of a turn that has ended to the next client, at the end of the same transaction, so that it is
     * never public in between. Jobs offer what else has come free.
     */
    follow(tx: Tx, ended: Pick<offerStore.OfferRow, 'practitioner_id' | 'starts_at'>): void {
      beforeCommit(tx, () => offerNext(tx, ended.practitioner_id, ended.starts_at))
    },

    /** Remembers what is free, so that only what comes free from now on is offered. */
    async remember(tx: Tx, practitionerId: number): Promise<void> {
      const times = await availability.freeTimes(tx, practitionerId)
      if (times) await saveSnapshot(tx, practitionerId, startsOf(times))
    },
  }

  /** Offers what has come free of a practitioner, as far as its marks are due, or all of it. */
  async function run(practitionerId: number, { everything = false } = {}): Promise<void> {
    await settle(practitionerId)
    for (let made = 0; made < offersPerRun; made++) {
      const { isOver, intents } = await inTransaction(db, (tx) => step(tx, practitionerId, everything))
      await checkpoint('waitlist offer made')
      await offered.finishSoon({ intents })
      if (isOver) return
    }
  }

  /** Ends turns past their end, and the offers that time off covers. */
  async function settle(practitionerId: number): Promise<void> {
    const now = clock.now()
    for (const turn of await offerStore.listOpenTurns(db, practitionerId)) {
      const { appointment_id: id, hold_expires_at, is_in_time_off } = turn
      if (id && (!hold_expires_at || hold_expires_at <= now)) {
        const intents = await inTransaction(db, (tx) => offered.expireIfDue(tx, id))
        await offered.finishSoon({ intents })
      }
      if (is_in_time_off) await withdraw(turn.id)
    }
    for (const id of await offerStore.listBroadcastsInTimeOff(db, practitionerId)) await withdraw(id)
  }

  async function withdraw(offerId: string, isStill: (offer: offerStore.OfferRow) => boolean = () => true) {
    const intents = await inTransaction(db, async (tx) => {
      const offer = await offerStore.findOffer(tx, offerId)
      return offer?.state === 'open' && isStill(offer) ? offers.end(tx, offer, 'system') : []
    })
    await offered.finishSoon({ intents })
  }

  /** Offers the first time that has come free, or ends the run. */
  async function step(tx: Tx, practitionerId: number, everything: boolean) {
    await snapshots.lockMatching(tx, practitionerId)
    const now = clock.now()
    const { due: marks, fresh: inGrace } = await snapshots.readMarks(tx, practitionerId, now)
    const all = everything || marks.some((mark) => !mark.is_next_round)
    const finish = async (intents: string[] = []) => {
      await snapshots.deleteMarks(
        tx,
        marks.map(({ id }) => id),
      )
      return { isOver: true, intents }
    }
    if (!everything && marks.length === 0) return finish()
    const times = await availability.freeTimes(tx, practitionerId)
    if (!times) return finish()
    const free = startsOf(times)
    const snapshot = await snapshots.readSnapshot(tx, practitionerId)
    const fresh = newlyFree(free, snapshot?.starts)
    const waiting = fresh.length > 0 ? await waitingFor(tx, practitionerId) : undefined
    if (!waiting) {
      await saveSnapshot(tx, practitionerId, free)
      return finish()
    }
    const last = await offerStore.readLastOffers(tx, practitionerId, now)
    const unseen = new Set(fresh)
    for (const start of fresh) {
      const startsAt = new Date(start * minutes(1))
      const round = roundOf(last.get(startsAt.getTime()), now)
      // Within the grace after a change, only a time whose offer has just ended goes on.
      if (round.round === 1 && (!all || (!everything && isIn(inGrace, startsAt, times)))) continue
      const made = mayBeginRound({ ...round, startsAt }, now)
        ? await offer(tx, { practitionerId, times, waiting, startsAt, round }, now)
        : ('public' as const)
      unseen.delete(start)
      if (made === 'public') continue
      // Without another newly free time, the snapshot follows from these free times.
      if (unseen.size === 0) {
        await saveSnapshot(tx, practitionerId, startsBeside(times, free, made.slot))
        return finish(made.intents)
      }
      const kept = free.filter((each) => !unseen.has(each) && each !== start)
      await saveSnapshot(tx, practitionerId, kept)
      return { isOver: false, intents: made.intents }
    }
    await saveSnapshot(
      tx,
      practitionerId,
      free.filter((start) => !unseen.has(start)),
    )
    return finish()
  }

  /** Offers a time that has just come free to the next client of its rounds. */
  async function offerNext(tx: Tx, practitionerId: number, startsAt: Date): Promise<void> {
    // A practitioner who stops work is locked already, and has nothing to offer.
    if (!(await practitioners.listed(tx, practitionerId))) return
    await snapshots.lockMatching(tx, practitionerId)
    const now = clock.now()
    const times = await availability.freeTimes(tx, practitionerId)
    const start = startsAt.getTime() / minutes(1)
    if (!times || !startsOf(times).includes(start)) return
    const waiting = await waitingFor(tx, practitionerId)
    const snapshot = await snapshots.readSnapshot(tx, practitionerId)
    if (!waiting || !snapshot) return
    const last = await offerStore.readLastOffers(tx, practitionerId, now)
    const round = roundOf(last.get(startsAt.getTime()), now)
    if (!mayBeginRound({ ...round, startsAt }, now)) return
    const made = await offer(tx, { practitionerId, times, waiting, startsAt, round }, now)
    const kept = snapshot.starts.filter((each) => each !== start)
    await saveSnapshot(
      tx,
      practitionerId,
      made === 'public' ? [...kept, start].sort((a, b) => a - b) : startsBeside(times, kept, made.slot),
    )
  }

  type Freed = {
    practitionerId: number
    times: Times
    waiting: Waiting
    startsAt: Date
    round: { round: number; freedAt: Date }
  }

  /** Offers a time to the first who can use it, or notifies all of them. 'public' if it stays free for every client. */
  async function offer(
    tx: Tx,
    { practitionerId, times, waiting, startsAt, round }: Freed,
    now: Date,
  ): Promise<{ intents: string[]; slot: FreeSlot } | 'public'> {
    const start = startsAt.getTime()
    const wanting = (entries: readonly store.WaitingRow[]) =>
      entries.filter((entry) => suits(entry, clocksOf(entry.timezone), start, now.getTime()))
    const first = wanting(waiting.first)
    if (first.length === 0 && wanting(await waiting.others()).length === 0) return 'public'
    const blocked = await lookups().blockedClients(tx, practitionerId)
    const asked =
      round.round > 1
        ? await offerStore.listAskedSince(tx, practitionerId, startsAt, round.freedAt)
        : new Set()
    const booked = await bookedOn(tx, practitionerId, times.timezone, start)
    const candidatesAmong = (entries: readonly store.WaitingRow[]) =>
      entries
        .filter((entry) => !blocked.has(entry.client_id) && !asked.has(entry.id))
        .map((entry) => ({
          id: entry.id,
          joinedAt: entry.joined_at,
          hasSessionThatDay: booked.some(
            (session) => session.client_id === entry.client_id && session.id !== entry.swaps_appointment_id,
          ),
          entry,
        }))
    async function* candidates() {
      const longest = candidatesAmong(first)
      yield* inOrder(longest.filter((candidate) => !candidate.hasSessionThatDay))
      const others = candidatesAmong(wanting(await waiting.others()))
      yield* inOrder([...longest.filter((candidate) => candidate.hasSessionThatDay), ...others])
    }
    const bookableUntil = later(startsAt, -times.leadTimeMs)
    const notified: store.WaitingRow[] = []
    let isBroadcast = false
    for await (const { entry } of candidates()) {
      const fit = fitOf(times, entry, start)
      if (!fit) continue
      const swap = await swapOf(tx, entry, fit.slot)
      if (swap === 'impossible') continue
      const plan = planOffer({ startsAt, bookableUntil }, now, clocksOf(entry.timezone))
      isBroadcast ||= plan.kind === 'broadcast'
      if (isBroadcast || plan.kind === 'broadcast') {
        notified.push(entry)
        continue
      }
      // The old session must still be changeable when the new one is paid at the last moment.
      if (swap && swap < later(plan.holdUntil, minutes(10))) continue
      const locked = await store.lockEntry(tx, entry.id)
      if (locked?.state !== 'waiting') continue
      const made = await offers.makeTurn(tx, {
        entry,
        ...fit,
        pauseMinutes: times.pauseMinutes,
        holdUntil: plan.holdUntil,
        round,
        byHand: false,
      })
      if (made.outcome === 'taken') return 'public'
      if (made.outcome === 'offered') return { intents: made.intents, slot: fit.slot }
    }
    if (notified.length > 0) {
      await offers.broadcast(tx, { practitionerId, startsAt, round, byHand: false }, notified)
    }
    return 'public'
  }

  /** Those who wait for a practitioner; undefined if there are none. */
  async function waitingFor(tx: Tx, practitionerId: number): Promise<Waiting | undefined> {
    const first = await store.listWaiting(tx, { practitionerId, limit: readFirst })
    if (first.length === 0) return undefined
    const known = new Set(first.map(({ id }) => id))
    let read: Promise<store.WaitingRow[]> | undefined
    const others = async () => {
      if (first.length < readFirst) return []
      read ??= store.listWaiting(tx, { practitionerId, limit: null })
      return (await read).filter(({ id }) => !known.has(id))
    }
    return { first, others }
  }

  /** Until when the session that an entry replaces can be changed; undefined if it replaces none. */
  async function swapOf(tx: Tx, entry: store.WaitingRow, slot: { startsAt: number; endsAt: number }) {
    const id = entry.swaps_appointment_id
    if (!id) return undefined
    const old = await offered.replaceable(tx, id, entry.client_id)
    if (!old?.until) return 'impossible' as const
    const overlaps = old.startsAt.getTime() < slot.endsAt && slot.startsAt < old.endsAt.getTime()
    return overlaps ? ('impossible' as const) : old.until
  }

  /** Sessions of clients with a practitioner on the day of a start, in the practitioner's zone. */
  async function bookedOn(tx: Tx, practitionerId: number, timezone: string, start: number) {
    const zone = clocksOf(timezone)
    const date = localDay(zone, start)
    return offered.clientsBookedBetween(tx, practitionerId, {
      from: new Date(startOfDay(zone, date)),
      to: new Date(startOfDay(zone, date + 1)),
    })
  }

  async function saveSnapshot(tx: Tx, practitionerId: number, starts: number[]): Promise<void> {
    const digest = createHash('sha256').update(starts.join(',')).digest()
    await snapshots.writeSnapshot(tx, {
      practitioner_id: practitionerId,
      digest,
      starts,
      taken_at: clock.now(),
    })
  }

  /** Looks after what time alone changes, and what a lost job has left. */
  async function sweep(): Promise<void> {
    const now = clock.now()
    for (const id of await offerStore.listUnstarted(db, handOverBy(now), sweepBatch)) {
      await attempt('withdrawing an offer', () => withdraw(id, (offer) => !offer.started_at))
    }
    for (const id of await offerStore.listPastBroadcasts(db, now, sweepBatch)) {
      await attempt('ending a broadcast', () =>
        inTransaction(db, async (tx) => void (await offerStore.closeOffer(tx, id, 'expired', now))),
      )
    }
    for (const id of await store.listEnding(db, now, sweepBatch))
      await attempt('ending an entry', () => end(id))
    for (const id of await store.listToAsk(db, later(now, lifetimes.askBefore), sweepBatch)) {
      await attempt('asking about an entry', () => ask(id))
    }
    for (const id of await snapshots.listMarked(db, now, sweepBatch)) await attempt('matching', () => run(id))
    for (const id of await snapshots.listStale(db, later(now, -hours(1)), sweepBatch)) {
      await attempt('matching', () => run(id, { everything: true }))
    }
  }

  async function end(id: string): Promise<void> {
    await inTransaction(db, async (tx) => {
      const entry = await store.lockEntry(tx, id)
      // A turn that is open is waited for.
      if (!entry || entry.ends_at > clock.now() || (entry.state !== 'waiting' && entry.state !== 'paused'))
        return
      for (const open of await offerStore.listOpenOf(tx, id)) await offers.end(tx, open, 'system')
      await store.changeEntry(tx, id, entry.state, 'ended')
      offers.countLater(tx, entry.practitioner_id)
    })
  }

  async function ask(id: string): Promise<void> {
    await inTransaction(db, async (tx) => {
      const entry = await store.lockEntry(tx, id)
      if (!entry || !(await store.markAsked(tx, id, clock.now()))) return
      await outbox.note(
        tx,
        'ending',
        { type: 'waitlist-entry', id },
        entry.client_id,
        entry.ends_at.getTime(),
      )
    })
  }

  /** Logs a failure, so that one failing entry does not stop the others. */
  async function attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.error({ err: { name: errorName(error) } }, what)
    }
  }
}

/** Free starts of the next 60 days. Minutes since 1970, in order. */
function startsOf(times: Times): number[] {
  const until = times.range.from + days(60)
  const starts = times.free().flatMap(({ startsAt }) => (startsAt < until ? startsAt / minutes(1) : []))
  return [...new Set(starts)]
}

/** Whether a session at a start could take some of the given times. */
function isIn(spans: readonly snapshots.Freed[], startsAt: Date, { services, pauseMinutes }: Times): boolean {
  const longest = Math.max(...services.map(({ duration_minutes }) => duration_minutes)) + pauseMinutes
  return spans.some(({ from, to }) => from < later(startsAt, minutes(longest)) && startsAt < to)
}

/** The free starts once a slot is taken. */
function startsBeside(times: Times, free: readonly number[], slot: FreeSlot): number[] {
  const around = { from: slot.startsAt - hours(6), to: slot.endsAt + hours(2) }
  const near = times.freeBeside(slot, around).map(({ startsAt }) => startsAt / minutes(1))
  const isNear = (start: number) => start * minutes(1) >= around.from && start * minutes(1) < around.to
  const known = new Set(near)
  return free.filter((start) => !isNear(start) || known.has(start))
}

/** The service of an entry, and the slot that it could have at a start; undefined if it has none there. */
export function fitOf(
  times: Times,
  entry: Pick<store.WaitingRow, 'service_id' | 'appointment_type'>,
  start: number,
) {
  const service = times.services.find(
    (each) => each.service_id === entry.service_id && each.appointment_type === entry.appointment_type,
  )
  if (!service) return undefined
  const durations = { [entry.appointment_type]: service.duration_minutes }
  const [slot] = times.free(durations, { from: start, to: start + 1 })
  return slot && { service, slot }
}
