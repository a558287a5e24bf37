import { later, minutes } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import type { Events } from '../../events.ts'
import { beforeCommit, inTransaction } from '../../db/transaction.ts'
import type { FreeSlot } from '../availability/availability.rules.ts'
import type { BookableService } from '../practitioners/practitioners.service.ts'
import { clocksOf } from '../availability/availability.service.ts'
import type { WaitlistDependencies } from './waitlist.deps.ts'
import { waitlistNextJob } from './waitlist.jobs.ts'
import { openingsAfter } from './openings.rules.ts'
import { startedTurnEnd } from './turns.ts'
import { isLive, isPausedAfter, lifetimes } from './waitlist.rules.ts'
import * as offerStore from './offers.store.ts'
import * as snapshots from './snapshots.store.ts'
import * as store from './waitlist.store.ts'

export type Offers = ReturnType<typeof createOffers>

/** The life of an offer: a turn stands on a hold, whose end bookings announce; a broadcast on nothing. */
export function createOffers(deps: WaitlistDependencies) {
  const { db, clock, random, queue, notifications, practitioners, availability, offered, outbox } = deps

  return {
    countLater,

    /**
     * Holds a time for the client of a waiting entry, whose lock the caller has, and mails them. `taken`: another
     * reservation is in the way; `client_busy`: the client's own time is.
     */
    async makeTurn(
      tx: Tx,
      turn: {
        entry: { id: string; client_id: string; practitioner_id: number; timezone: string }
        service: BookableService
        slot: FreeSlot
        pauseMinutes: number
        holdUntil: Date
        round: { round: number; freedAt: Date }
        byHand: boolean
      },
    ): Promise<{ outcome: 'offered' | 'taken' | 'client_busy'; intents: string[] }> {
      const { entry, service, slot, holdUntil, round } = turn
      const now = clock.now()
      const time = { startsAt: new Date(slot.startsAt), endsAt: new Date(slot.endsAt) }
      const { outcome, released } = await availability.take(tx, {
        practitionerId: entry.practitioner_id,
        clientId: entry.client_id,
        ...time,
        pauseMinutes: turn.pauseMinutes,
        offeredUntil: holdUntil,
      })
      const intents = await offered.expireOn(tx, released)
      if (typeof outcome === 'string') return { outcome, intents }
      const id = random.uuid(now)
      const appointmentId = await offered.insert(tx, {
        offerId: id,
        clientId: entry.client_id,
        practitionerId: entry.practitioner_id,
        reservationId: outcome.reservationId,
        service,
        locationId: slot.locationId,
        ...time,
        holdUntil,
        timezone: entry.timezone,
      })
      await offerStore.insertOffers(tx, [
        {
          id,
          entry_id: entry.id,
          practitioner_id: entry.practitioner_id,
          kind: 'turn',
          appointment_id: appointmentId,
          reservation_id: outcome.reservationId,
          starts_at: time.startsAt,
          freed_at: round.freedAt,
          round: round.round,
          by_hand: turn.byHand,
          made_at: now,
        },
      ])
      await store.changeEntry(tx, entry.id, 'waiting', 'offered')
      await outbox.note(tx, 'offer', { type: 'waitlist-offer', id }, entry.client_id)
      const until = startedTurnEnd({ madeAt: now, ...time }, now, clocksOf(entry.timezone))
      await push(tx, id, entry.client_id, until)
      return { outcome: 'offered', intents }
    },

    /** Tells several clients at once of a time that stays public. */
    async broadcast(
      tx: Tx,
      time: {
        practitionerId: number
        startsAt: Date
        round: { round: number; freedAt: Date }
        byHand: boolean
        /** The same for the times of one run, of which several are one piece of news. */
        madeAt: Date
      },
      to: readonly { id: string; client_id: string }[],
    ): Promise<void> {
      const { madeAt } = time
      const rows = to.map((entry) => ({ entry, id: random.uuid(madeAt) }))
      await offerStore.insertOffers(
        tx,
        rows.map(({ entry, id }) => ({
          id,
          entry_id: entry.id,
          practitioner_id: time.practitionerId,
          kind: 'broadcast' as const,
          appointment_id: null,
          reservation_id: null,
          starts_at: time.startsAt,
          freed_at: time.round.freedAt,
          round: time.round.round,
          by_hand: time.byHand,
          made_at: madeAt,
        })),
      )
      for (const { entry, id } of rows) {
        await outbox.note(tx, 'broadcast', { type: 'waitlist-offer', id }, entry.client_id)
        const [first] = await offerStore.listBroadcastsWith(tx, { entry_id: entry.id, made_at: madeAt })
        // Several that come free at once are one piece of news. Their mail lists them.
        if (time.byHand || first?.id === id) await push(tx, id, entry.client_id, time.startsAt)
      }
    },

    start,
    endOf,

    /** Starts the clocks of the turns that a client now sees. */
    async seenBy(clientId: string): Promise<void> {
      for (const id of await offerStore.listUnstartedOf(db, clientId)) {
        await inTransaction(db, (tx) => start(tx, id))
      }
    },

    end,

    /** Closes the turn whose hold has ended, by how its appointment ended. Returns it if it was open. */
    async holdEnded(tx: Tx, appointmentId: string): Promise<offerStore.OfferRow | undefined> {
      const offer = await offerStore.findOfferOf(tx, appointmentId)
      if (offer?.state !== 'open') return undefined
      const appointment = await offered.find(tx, appointmentId)
      const now = clock.now()
      // A practitioner who is not listed cannot be booked.
      const isListed = await practitioners.listed(tx, offer.practitioner_id)
      const outcome = outcomeOf(appointment, { couldBeTaken: offer.started_at !== null && isListed })
      if (!(await offerStore.closeOffer(tx, offer.id, outcome, now))) return undefined
      const entry = await store.lockEntry(tx, offer.entry_id)
      if (entry?.state === 'offered') {
        const misses = outcome === 'expired' ? entry.misses + 1 : entry.misses
        if (outcome === 'expired' && isPausedAfter(misses)) {
          await store.changeEntry(tx, entry.id, 'offered', 'paused', { misses, paused_by: 'misses' })
          await outbox.note(
            tx,
            'paused',
            { type: 'waitlist-entry', id: entry.id },
            entry.client_id,
            now.getTime(),
          )
          countLater(tx, entry.practitioner_id)
        } else await store.changeEntry(tx, entry.id, 'offered', 'waiting', { misses })
      }
      // One that the client never heard of needs no apology.
      if (outcome === 'withdrawn') await outbox.withdraw(tx, offer.id)
      if (outcome === 'withdrawn' && offer.started_at) {
        await outbox.note(tx, 'withdrawn', { type: 'waitlist-offer', id: offer.id }, offer.client_id)
      }
      await snapshots.insertNextMark(tx, offer.practitioner_id, now)
      await queue.enqueue(
        tx,
        waitlistNextJob,
        { practitioner_id: offer.practitioner_id },
        { singletonKey: String(offer.practitioner_id) },
      )
      return offer
    },

    /** As `confirmed`, for sessions that were reserved together, of which few take the time of a broadcast. */
    async reserved(tx: Tx, { practitionerId, sessions }: Events['sessions.reserved']): Promise<void> {
      const times = sessions.map(({ startsAt, endsAt }) => ({ from: startsAt, to: endsAt }))
      beforeCommit(tx, () => forget(tx, practitionerId, times))
      const broadcasts = await offerStore.listBroadcasts(tx, practitionerId, {
        from: new Date(Math.min(...times.map(({ from }) => from.getTime()))),
        to: new Date(Math.max(...times.map(({ to }) => to.getTime()))),
      })
      for (const { appointmentId, startsAt, endsAt } of sessions) {
        const isTold = broadcasts.some((offer) => startsAt <= offer.starts_at && offer.starts_at < endsAt)
        if (isTold) await confirmed(tx, appointmentId)
      }
    },

    confirmed,
  }

  /** Ends an open turn or broadcast. Returns the payment intents to void. */
  async function end(tx: Tx, offer: offerStore.OfferRow, by: 'client' | 'system'): Promise<string[]> {
    if (offer.appointment_id) return (await offered.end(tx, offer.appointment_id, by)) ?? []
    await offerStore.closeOffer(tx, offer.id, by === 'client' ? 'declined' : 'withdrawn', clock.now())
    return []
  }

  /**
   * Closes what a booked session takes: its own offer, the broadcasts of its time, and what else its client was offered. One
   * that was cancelled is no longer there to be replaced. A broadcast is booked like any time: another session is cancelled
   * for it only where its client has booked it, and was not shown another one or none.
   */
  async function confirmed(
    tx: Tx,
    appointmentId: string,
    booked?: Events['session.changed']['booked'],
  ): Promise<void> {
    const row = await offered.find(tx, appointmentId)
    if (row?.state === 'cancelled') await store.dropSwap(tx, row)
    if ((row?.state !== 'confirmed' && row?.state !== 'reserved') || !row.starts_at || !row.ends_at) return
    const now = clock.now()
    const during = { from: row.starts_at, to: row.ends_at }
    beforeCommit(tx, () => forget(tx, row.practitioner_id, [during]))
    const broadcasts = await offerStore.listBroadcasts(tx, row.practitioner_id, during)
    const turn = row.offer_id ? await offerStore.findOffer(tx, row.offer_id) : undefined
    const own = turn?.state === 'open' ? turn : broadcasts.find((offer) => offer.client_id === row.client_id)
    for (const offer of broadcasts) {
      if (offer.id !== own?.id) await offerStore.closeOffer(tx, offer.id, 'withdrawn', now)
    }
    if (!own || !(await offerStore.closeOffer(tx, own.id, 'taken', now))) return
    const entry = await store.lockEntry(tx, own.entry_id)
    if (!entry || !isLive(entry.state)) return
    // The client may have paused while they paid.
    if (entry.state === 'paused') await store.changeEntry(tx, entry.id, 'paused', 'waiting')
    await store.changeEntry(tx, entry.id, entry.state === 'offered' ? 'offered' : 'waiting', 'booked')
    for (const other of await offerStore.listOpenOf(tx, entry.id)) {
      // The time of a turn is held. Its client gives it up for this session, so that it goes to the next one.
      if (other.kind === 'turn') await end(tx, other, 'client')
      else await offerStore.closeOffer(tx, other.id, 'withdrawn', now)
    }
    countLater(tx, entry.practitioner_id)
    const old = entry.swaps_appointment_id
    const shown = booked?.replaces
    const isAgreed = (booked || own.kind === 'turn') && (shown === undefined || shown === old)
    if (old && old !== appointmentId && isAgreed) {
      await offered.replace(tx, old, {
        clientId: entry.client_id,
        byAppointmentId: appointmentId,
        shownAt: booked?.replacesStart ?? undefined,
      })
    }
  }

  /** Takes what sessions make impossible out of the last snapshot, so that it is new when they are cancelled. */
  async function forget(tx: Tx, practitionerId: number, taken: readonly { from: Date; to: Date }[]) {
    const snapshot = await snapshots.lockSnapshot(tx, practitionerId)
    if (!snapshot) return
    const times = await availability.freeTimes(tx, practitionerId)
    const openings = openingsAfter(snapshot.openings, taken, times)
    await snapshots.writeSnapshot(tx, practitionerId, openings, snapshot.takenAt)
  }

  /**
   * Starts the clock of a turn: its mail was handed over, or the client was seen. `promised` is the end that the mail
   * names. Does nothing if it runs already or the turn is over.
   */
  async function start(tx: Tx, offerId: string, promised?: Date): Promise<void> {
    const offer = await offerStore.findOffer(tx, offerId)
    if (!offer?.appointment_id || offer.state !== 'open' || offer.started_at) return
    const now = clock.now()
    const computed = endOf(offer, now)
    const isNear = promised && Math.abs(promised.getTime() - computed.getTime()) <= minutes(2)
    const end = isNear ? promised : computed
    if (!(await offered.holdUntil(tx, offer.appointment_id, end))) return
    await offerStore.startOffer(tx, offerId, now, end)
  }

  function endOf(offer: offerStore.OfferRow, now: Date): Date {
    return startedTurnEnd({ madeAt: offer.made_at, startsAt: offer.starts_at }, now, clocksOf(offer.timezone))
  }

  async function push(tx: Tx, offerId: string, clientId: string, until: Date): Promise<void> {
    const path = `/book-therapist?offer=${offerId}`
    await notifications.notify(tx, [clientId], { kind: 'waitlist-offer', path, until })
  }

  /** Counts anew, at the end of the transaction, how many wait for a practitioner. */
  function countLater(tx: Tx, practitionerId: number): void {
    const count = async () => {
      await practitioners.lockWork(tx, practitionerId)
      await practitioners.setWaiting(tx, practitionerId, await store.countWaiting(tx, practitionerId))
    }
    // Behind the other writes at the end: matching takes its lock before the practitioner's.
    beforeCommit(tx, async () => beforeCommit(tx, count))
  }
}

type Ended = { state: string; cancelled_by: string | null } | undefined

function outcomeOf(
  appointment: Ended,
  { couldBeTaken }: { couldBeTaken: boolean },
): 'declined' | 'expired' | 'withdrawn' {
  if (appointment?.state === 'expired') return couldBeTaken ? 'expired' : 'withdrawn'
  return appointment?.cancelled_by === 'client' ? 'declined' : 'withdrawn'
}

/** When an offer whose mail was not handed over is withdrawn. */
export const handOverBy = (now: Date): Date => later(now, -lifetimes.handOver)
