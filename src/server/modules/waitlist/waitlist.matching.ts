import { hours, later, minutes } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { beforeCommit, inTransaction } from '../../db/transaction.ts'
import { attempt } from '../../jobs/attempt.ts'
import type { FreeSlot } from '../availability/availability.rules.ts'
import { type Availability, localDay, startOfDay, clocksOf } from '../availability/availability.service.ts'
import type { WaitlistDependencies } from './waitlist.deps.ts'
import { waitlistMatchJob, waitlistNextJob } from './waitlist.jobs.ts'
import {
  keepingOld,
  type Longest,
  newOpenings,
  noSession,
  openingsBeside,
  openingsOf,
} from './openings.rules.ts'
import { handOverBy, type Offers } from './waitlist.offers.ts'
import { lastsThrough, planOffer, suits } from './turns.ts'
import { inOrder, lifetimes, mayBeginRound, roundOf } from './waitlist.rules.ts'
import * as offerStore from './offers.store.ts'
import * as snapshots from './snapshots.store.ts'
import * as store from './waitlist.store.ts'

type Dependencies = WaitlistDependencies & { offers: Offers }
export type Times = NonNullable<Awaited<ReturnType<Availability['freeTimes']>>>

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
      if (times) await snapshots.writeSnapshot(tx, practitionerId, openingsOf(times), clock.now())
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

  /** Ends turns past their end, and the offers that time off, the practitioner's own calendar or a place given up blocks. */
  async function settle(practitionerId: number): Promise<void> {
    const now = clock.now()
    for (const turn of await offerStore.listOpenTurns(db, practitionerId)) {
      const { appointment_id: id, hold_expires_at, is_away } = turn
      if (id && (!hold_expires_at || hold_expires_at <= now)) {
        const intents = await inTransaction(db, (tx) => offered.expireIfDue(tx, id))
        await offered.finishSoon({ intents })
      }
      if (is_away) await withdraw(turn.id)
    }
    for (const id of await offerStore.listBroadcastsAway(db, practitionerId)) await withdraw(id)
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
    if (!times) {
      await snapshots.markLooked(tx, practitionerId, now)
      return finish()
    }
    const openings = openingsOf(times)
    const before = await snapshots.readSnapshot(tx, practitionerId)
    const fresh = newOpenings(openings, before)
    const waiting = fresh.length > 0 ? await waitingFor(tx, practitionerId) : undefined
    if (!waiting) {
      await snapshots.writeSnapshot(tx, practitionerId, openings, now)
      return finish()
    }
    const last = await offerStore.readLastOffers(tx, practitionerId, now)
    const unseen = new Set(fresh.map(({ start }) => start))
    for (const { start, known } of fresh) {
      const startsAt = new Date(start * minutes(1))
      const round = roundOf(last.get(startsAt.getTime()), now)
      // Within the grace after a change, only a time whose offer has just ended goes on.
      if (round.round === 1 && (!all || (!everything && isIn(inGrace, startsAt, times)))) continue
      const made = mayBeginRound({ ...round, startsAt }, now)
        ? await offer(tx, { practitionerId, times, waiting, startsAt, known, round }, now)
        : ('public' as const)
      unseen.delete(start)
      if (made === 'public') continue
      // Without another newly free time, the snapshot follows from these free times.
      const kept =
        unseen.size === 0
          ? openingsBeside(times, openings, made.slot)
          : keepingOld(openings, before, [...unseen, start])
      await snapshots.writeSnapshot(tx, practitionerId, kept, now)
      return unseen.size === 0 ? finish(made.intents) : { isOver: false, intents: made.intents }
    }
    await snapshots.writeSnapshot(tx, practitionerId, keepingOld(openings, before, unseen), now)
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
    const longest = times && openingsOf(times).get(start)
    if (!times || !longest) return
    const waiting = await waitingFor(tx, practitionerId)
    const before = await snapshots.readSnapshot(tx, practitionerId)
    if (!waiting || !before) return
    const last = await offerStore.readLastOffers(tx, practitionerId, now)
    const round = roundOf(last.get(startsAt.getTime()), now)
    if (!mayBeginRound({ ...round, startsAt }, now)) return
    const known = before.get(start) ?? noSession
    const made = await offer(tx, { practitionerId, times, waiting, startsAt, known, round }, now)
    const openings =
      made === 'public' ? new Map(before).set(start, longest) : openingsBeside(times, before, made.slot)
    await snapshots.writeSnapshot(tx, practitionerId, openings, now)
  }

  type Freed = {
    practitionerId: number
    times: Times
    waiting: Waiting
    startsAt: Date
    /** What could begin at that time before. */
    known: Longest
    round: { round: number; freedAt: Date }
  }

  /** Offers a time to the first who can use it, or notifies all of them. 'public' if it stays free for every client. */
  async function offer(
    tx: Tx,
    { practitionerId, times, waiting, startsAt, known, round }: Freed,
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
    // Another client has held the time and let it go: their offer of it stands.
    const told = await offerStore.listTold(tx, practitionerId, startsAt)
    const booked = await bookedOn(tx, practitionerId, times.timezone, start)
    const candidatesAmong = (entries: readonly store.WaitingRow[]) =>
      entries
        .filter(({ id, client_id }) => !blocked.has(client_id) && !asked.has(id) && !told.has(id))
        .map((entry) => ({
          id: entry.id,
          joinedAt: entry.joined_at,
          hasSessionThatDay: booked.some(
            (session) => session.client_id === entry.client_id && session.id !== entry.swaps_appointment_id,
          ),
          entry,
        }))
    async function* candidates() {
      const longestWaiting = candidatesAmong(first)
      yield* inOrder(longestWaiting.filter((candidate) => !candidate.hasSessionThatDay))
      const others = candidatesAmong(wanting(await waiting.others()))
      yield* inOrder([...longestWaiting.filter((candidate) => candidate.hasSessionThatDay), ...others])
    }
    const bookableUntil = later(startsAt, -times.leadTimeMs)
    const notified: store.WaitingRow[] = []
    let isBroadcast = false
    for await (const { entry } of candidates()) {
      const fit = fitOf(times, entry, start)
      // What was free before came free for others, or is public.
      if (!fit || fit.service.duration_minutes <= known[entry.appointment_type]) continue
      const swap = await swapOf(tx, entry, fit.slot)
      if (swap === 'impossible') continue
      const plan = planOffer({ startsAt, bookableUntil }, now, clocksOf(entry.timezone))
      isBroadcast ||= plan.kind === 'broadcast'
      if (isBroadcast || plan.kind === 'broadcast') {
        notified.push(entry)
        continue
      }
      if (swap && !lastsThrough(swap, plan.holdUntil)) continue
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
      const time = { practitionerId, startsAt, round, byHand: false, madeAt: now }
      await offers.broadcast(tx, time, notified)
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

  /** Looks after what time alone changes, and what a lost job has left. */
  async function sweep(): Promise<void> {
    const now = clock.now()
    for (const id of await offerStore.listUnstarted(db, handOverBy(now), sweepBatch)) {
      await attempt(log, 'withdrawing an offer', () => withdraw(id, (offer) => !offer.started_at))
    }
    for (const id of await offerStore.listPastBroadcasts(db, now, sweepBatch)) {
      await attempt(log, 'ending a broadcast', () =>
        inTransaction(db, async (tx) => void (await offerStore.closeOffer(tx, id, 'expired', now))),
      )
    }
    for (const id of await store.listEnding(db, now, sweepBatch))
      await attempt(log, 'ending an entry', () => end(id))
    for (const id of await store.listEnding(db, later(now, lifetimes.askBefore), sweepBatch, {
      isUnasked: true,
    })) {
      await attempt(log, 'asking about an entry', () => ask(id))
    }
    for (const id of await snapshots.listMarked(db, now, sweepBatch))
      await attempt(log, 'matching', () => run(id))
    for (const id of await snapshots.listStale(db, later(now, -hours(1)), sweepBatch)) {
      await attempt(log, 'matching', () => run(id, { everything: true }))
    }
  }

  async function end(id: string): Promise<void> {
    await inTransaction(db, async (tx) => {
      const entry = await store.lockEntry(tx, id)
      // A turn that is open is waited for, and so is a practitioner who is suspended.
      if (!entry || entry.ends_at > clock.now() || entry.paused_by === 'practitioner') return
      if (entry.state !== 'waiting' && entry.state !== 'paused') return
      for (const open of await offerStore.listOpenOf(tx, id)) await offers.end(tx, open, 'system')
      await store.changeEntry(tx, id, entry.state, 'ended')
      offers.countLater(tx, entry.practitioner_id)
    })
  }

  async function ask(id: string): Promise<void> {
    await inTransaction(db, async (tx) => {
      const entry = await store.lockEntry(tx, id)
      if (!entry || entry.paused_by === 'practitioner') return
      if (!(await store.markAsked(tx, id, clock.now()))) return
      await outbox.note(
        tx,
        'ending',
        { type: 'waitlist-entry', id },
        entry.client_id,
        entry.ends_at.getTime(),
      )
    })
  }
}

/** Whether a session at a start could take some of the given times. */
function isIn(spans: readonly snapshots.Freed[], startsAt: Date, { services, pauseMinutes }: Times): boolean {
  const lengths = services.map(({ duration_minutes }) => duration_minutes)
  const latestEnd = later(startsAt, minutes(Math.max(...lengths) + pauseMinutes))
  return spans.some(({ from, to }) => from < latestEnd && startsAt < to)
}

/** The service that an entry waits for, while it is offered. */
export const serviceFor = (times: Times, entry: Pick<store.WaitingRow, 'service_id' | 'appointment_type'>) =>
  times.services.find(
    (each) => each.service_id === entry.service_id && each.appointment_type === entry.appointment_type,
  )

/** The service of an entry, and the slot that it could have at a start; undefined if it has none there. */
export function fitOf(
  times: Times,
  entry: Pick<store.WaitingRow, 'service_id' | 'appointment_type'>,
  start: number,
) {
  const service = serviceFor(times, entry)
  if (!service) return undefined
  const durations = { [entry.appointment_type]: service.duration_minutes }
  const [slot] = times.free(durations, { from: start, to: start + 1 })
  return slot && { service, slot }
}
