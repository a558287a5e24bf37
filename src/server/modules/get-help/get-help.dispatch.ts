import type { HelpRequestState } from '#contract/get-help/get-help.ts'
import { helpMinutes } from '#contract/get-help/get-help.ts'
import { later, minutes, seconds } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { attempt } from '../../jobs/attempt.ts'
import { fail } from '../../errors.ts'
import type { InstantSessions } from '../bookings/bookings.instant.ts'
import type { Chat } from '../chat/chat.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { getHelpSweepJob } from './get-help.jobs.ts'
import type { HelpOutbox } from './get-help.outbox.ts'
import type { Matching } from './get-help.matching.ts'
import type { HelpNews } from './get-help.news.ts'
import { isDue, isLive, lifetimes } from './get-help.rules.ts'
import * as store from './get-help.store.ts'

export type DispatchDependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'queue' | 'log' | 'checkpoint'> & {
  practitioners: Practitioners
  payments: Payments
  instant: InstantSessions
  matching: Matching
  outbox: HelpOutbox
  news: HelpNews
  chat: Pick<Chat, 'open'>
}

/** How many searches one sweep advances; the next sweep takes the rest. */
const sweepBatch = 200
/** How long a client waits for the payments of searches of others, which are finished without them as well. */
const othersPatience = seconds(1)

export type Dispatch = ReturnType<typeof createDispatch>

/**
 * Searches for a practitioner who accepts, from the payment on. Every step is one short transaction under the lock of
 * the search. The gateway is called between steps: by the caller of a step, by a job after a crash, or by the sweep.
 */
export function createDispatch(deps: DispatchDependencies) {
  const { db, clock, random, queue, log, practitioners, payments, instant, matching, outbox, news } = deps
  const { chat, checkpoint } = deps

  return {
    /**
     * Asks the claimed practitioner once the payment is authorised, or the next one if that one is unavailable. A claim
     * whose time to pay ran out meanwhile expires, and the authorisation is voided.
     */
    async begin(appointmentId: string): Promise<void> {
      const intents = await inTransaction(db, async (tx) => {
        const row = await store.lockDispatch(tx, appointmentId)
        return row?.state === 'claimed' ? moveOn(tx, row) : []
      })
      await checkpoint('practitioner asked')
      await payments.finishSoon({ intents })
    },

    /**
     * Records a practitioner's answer: begins the session, or asks the next practitioner.
     * @throws 409 `request_over` if the answer is late, and nothing is changed then; also for an acceptance by a practitioner
     * who is no longer listed, which asks the next one, or after the payment has ended outside the product, which ends the
     * search
     */
    async answer(offer: store.OfferRow, as: 'accepted' | 'declined'): Promise<void> {
      const answered = await inTransaction(db, async (tx) => {
        const row = await store.lockDispatch(tx, offer.appointment_id)
        const current = await store.findOffer(tx, offer.id)
        if (!row || !current) throw requestOver()
        // A repeated answer changes nothing.
        if (current.state === as) return { intents: [], outcome: 'repeated' as const }
        if (row.state !== 'asking' || current.state !== 'open' || isDue(current.answer_by, clock.now())) {
          throw requestOver()
        }
        if (as === 'declined') return { intents: await goOn(tx, row, 'declined'), outcome: as }
        const isListed = await practitioners.listed(tx, current.practitioner_id)
        if (!isListed || !(await isPaid(tx, row))) {
          return { intents: await goOn(tx, row, 'withdrawn'), outcome: 'over' as const }
        }
        return { intents: await accept(tx, row), outcome: as }
      })
      if (answered.outcome === 'repeated') return
      await checkpoint(as === 'accepted' ? 'help accepted' : 'practitioner asked')
      await payments.finishSoon(answered)
      if (answered.outcome === 'over') throw requestOver()
    },

    /** Ends the search for the client, at no cost. Returns false if it was accepted or has ended already. */
    async stop(appointmentId: string, reason: string | null): Promise<boolean> {
      const intents = await inTransaction(db, async (tx) => {
        const row = await store.lockDispatch(tx, appointmentId)
        return row && isLive(row.state) ? endByClient(tx, row, reason) : undefined
      })
      if (!intents) return false
      await checkpoint('help stopped')
      await payments.finishSoon({ intents })
      return true
    },

    /** As `stop`, in a transaction that holds the lock of the search. Returns the intents to finish. */
    endByClient,

    /**
     * Withdraws every request and claim from a suspended practitioner, or those of a client who has blocked them or was
     * blocked. Each search goes on with the next practitioner in the same transaction.
     */
    async withdrawFrom(tx: Tx, practitionerId: number, of?: { clientId: string }): Promise<void> {
      for (const id of await store.listLiveOf(tx, practitionerId, of)) {
        const row = await store.lockDispatch(tx, id)
        if (row?.practitioner_id !== practitionerId) continue
        if (row.state === 'asking') await goOn(tx, row, 'withdrawn')
        else if (row.state === 'claimed') await replaceClaim(tx, row)
      }
    },

    /** Asks the next practitioner in place of one who is no longer available: neither by their switch nor by their schedule. */
    async passOn(practitionerId: number): Promise<void> {
      for (const id of await store.listLiveOf(db, practitionerId)) {
        const intents = await inTransaction(db, async (tx) => {
          const row = await store.lockDispatch(tx, id)
          if (row?.state !== 'asking' || row.practitioner_id !== practitionerId) return []
          return (await matching.stillFits(tx, row)) ? [] : goOn(tx, row, 'withdrawn')
        })
        await payments.finishSoon({ intents })
      }
    },

    /** Counts the searches that wait for a practitioner, paid or not. */
    countLiveOf: async (handle: Db, practitionerId: number) =>
      (await store.listLiveOf(handle, practitionerId)).length,

    /** Advances every search that is due. */
    sweep: async () => lookAfter(await store.listDue(db, clock.now(), sweepBatch)),

    /** Ends searches that were not paid in time, so that their practitioners are free at once. */
    endUnpaid: async () => lookAfter(await store.listUnpaid(db, clock.now(), sweepBatch), othersPatience),
  }

  /**
   * Advances each search by itself: one that fails does not stop the others. No search waits for the payment of another:
   * the gateway is called once all have moved on.
   */
  async function lookAfter(ids: string[], patienceMs?: number): Promise<void> {
    const intents: string[] = []
    for (const id of ids) {
      await attempt(log, 'A search for help could not be looked after.', async () => {
        const begun = await inTransaction(db, async (tx) => {
          const row = await store.lockDispatch(tx, id)
          return row ? moveOn(tx, row) : []
        })
        await checkpoint('search moved on')
        intents.push(...begun)
      })
    }
    await payments.finishSoon({ intents }, patienceMs)
  }

  /** Advances a search past its deadline, or begins to ask once it is paid. Returns the intents to finish. */
  async function moveOn(tx: Tx, row: store.DispatchRow): Promise<string[]> {
    const now = clock.now()
    if (row.state === 'asking') return isDue(row.deadline, now) ? goOn(tx, row, 'lapsed') : []
    if (row.state !== 'claimed') return []
    if (!isDue(row.deadline, now)) return beginAsking(tx, row)
    await store.changeDispatch(tx, row.appointment_id, 'claimed', 'expired', ended(now))
    news.changed(tx, row.appointment_id, [row.client_id])
    return instant.end(tx, row.appointment_id, { state: 'expired' })
  }

  async function beginAsking(tx: Tx, row: store.DispatchRow): Promise<string[]> {
    if (row.state !== 'claimed') return []
    if (!(await isPaid(tx, row))) return []
    const now = clock.now()
    const paid = { paid_at: now, ask_until: later(now, lifetimes.asking) }
    if (await matching.stillFits(tx, row)) {
      await ask(tx, row, row.practitioner_id, paid)
      return []
    }
    return next(tx, row, paid)
  }

  /** Whether the payment can still be captured: its authorisation may have ended outside the product. */
  async function isPaid(tx: Tx, row: store.DispatchRow): Promise<boolean> {
    return (await payments.live(tx, row.appointment_id, 'booking'))?.state === 'authorised'
  }

  /** Ends the open request and asks the next practitioner, while the search is paid for. Returns the intents to finish. */
  async function goOn(
    tx: Tx,
    row: store.DispatchRow,
    as: 'declined' | 'lapsed' | 'withdrawn',
  ): Promise<string[]> {
    await closeOffer(tx, row, as)
    if (isDue(row.ask_until, clock.now()) || !(await isPaid(tx, row))) return endWithNobody(tx, row)
    return next(tx, row)
  }

  /** Claims the next practitioner for a client who may not have paid yet. Expires the search if none is free. */
  async function replaceClaim(tx: Tx, row: store.DispatchRow): Promise<string[]> {
    if (await isPaid(tx, row)) return beginAsking(tx, row)
    const claimed = await claimNext(tx, row, { hasPaid: false })
    news.changed(tx, row.appointment_id, [row.client_id])
    if (claimed) return claimed.intents
    await store.changeDispatch(tx, row.appointment_id, 'claimed', 'expired', ended(clock.now()))
    return instant.end(tx, row.appointment_id, { state: 'expired' })
  }

  /**
   * Releases the claimed practitioner and claims the next. Returns undefined if none is free, or if the payment was captured
   * outside the product: it is owed to the practitioner whom it was captured for, so that it is refunded. Once the search is
   * paid for, a session of the client's own within half an hour is in the way only if it overlaps this one.
   */
  async function claimNext(tx: Tx, row: store.DispatchRow, { hasPaid }: { hasPaid: boolean }) {
    if (row.issue_id === null || (await payments.isCapturedElsewhere(tx, row.appointment_id)))
      return undefined
    // The client's own time must be free before the next claim. The appointment ends only if there is none.
    if (row.reservation_id) await instant.release(tx, row.reservation_id)
    const wanted = {
      clientId: row.client_id,
      issueId: row.issue_id,
      dispatchId: row.appointment_id,
      preferredId: null,
    }
    let claimed = await matching.claim(tx, wanted)
    if (claimed === 'client_busy' && hasPaid)
      claimed = await matching.claim(tx, { ...wanted, windowMs: lifetimes.paidWindow })
    if (claimed === 'nobody' || claimed === 'client_busy') return undefined
    await instant.reassign(tx, row.appointment_id, claimed)
    return claimed
  }

  /** Releases the claimed practitioner and asks the next. Ends the search if none is free. */
  async function next(
    tx: Tx,
    row: store.DispatchRow,
    paid?: { paid_at: Date; ask_until: Date },
  ): Promise<string[]> {
    const claimed = await claimNext(tx, row, { hasPaid: true })
    if (!claimed) return endWithNobody(tx, row, paid)
    await ask(tx, row, claimed.practitionerId, paid)
    return claimed.intents
  }

  async function ask(
    tx: Tx,
    row: store.DispatchRow,
    practitionerId: number,
    paid: { paid_at: Date; ask_until: Date } | undefined,
  ): Promise<void> {
    const now = clock.now()
    const answerBy = later(now, lifetimes.answer)
    await store.changeDispatch(tx, row.appointment_id, row.state, 'asking', { ...paid, deadline: answerBy })
    const offerId = random.uuid(now)
    await store.insertOffer(tx, {
      id: offerId,
      appointment_id: row.appointment_id,
      practitioner_id: practitionerId,
      asked_at: now,
      answer_by: answerBy,
    })
    // A little later: the queue goes by the database's clock, which may be ahead of this one.
    await queue.enqueue(tx, getHelpSweepJob, {}, { startAfter: later(answerBy, seconds(0.5)) })
    const account = await practitioners.accountOf(tx, practitionerId)
    await outbox.noteAsked(tx, offerId, account)
    if (account) await news.offered(tx, row.appointment_id, account)
    news.changed(tx, row.appointment_id, [row.client_id])
  }

  async function accept(tx: Tx, row: store.DispatchRow): Promise<string[]> {
    const now = clock.now()
    const pair = { clientAccountId: row.client_id, practitionerId: row.practitioner_id }
    const dialogId = await chat.open(tx, { ...pair, openedFor: 'session' })
    await store.closeOffer(tx, row.appointment_id, 'accepted', now)
    await store.changeDispatch(tx, row.appointment_id, 'asking', 'accepted', {
      ...ended(now),
      dialog_id: dialogId,
    })
    const intents = await instant.confirm(tx, row.appointment_id, {
      startsAt: now,
      endsAt: later(now, minutes(helpMinutes)),
    })
    await outbox.note(tx, row, 'accepted')
    await news.began(tx, row.appointment_id, row.client_id)
    const account = await practitioners.accountOf(tx, row.practitioner_id)
    news.changed(tx, row.appointment_id, account ? [row.client_id, account] : [row.client_id])
    return intents
  }

  async function endWithNobody(
    tx: Tx,
    row: store.DispatchRow,
    paid?: { paid_at: Date; ask_until: Date },
  ): Promise<string[]> {
    await store.changeDispatch(tx, row.appointment_id, row.state, 'nobody', {
      ...paid,
      ...ended(clock.now()),
    })
    await outbox.note(tx, row, 'nobody')
    await news.endedWithNobody(tx, row.appointment_id, row.client_id)
    news.changed(tx, row.appointment_id, [row.client_id])
    return instant.end(tx, row.appointment_id, { state: 'cancelled', by: 'system' })
  }

  async function endByClient(tx: Tx, row: store.DispatchRow, reason: string | null): Promise<string[]> {
    if (row.state === 'asking') await closeOffer(tx, row, 'withdrawn')
    await store.changeDispatch(tx, row.appointment_id, row.state, 'stopped', ended(clock.now()))
    news.changed(tx, row.appointment_id, [row.client_id])
    return instant.end(tx, row.appointment_id, { state: 'cancelled', by: 'client', reason })
  }

  async function closeOffer(
    tx: Tx,
    row: store.DispatchRow,
    as: Exclude<HelpRequestState, 'open' | 'accepted'>,
  ): Promise<void> {
    const asked = await store.closeOffer(tx, row.appointment_id, as, clock.now())
    const account = asked === undefined ? undefined : await practitioners.accountOf(tx, asked)
    if (account) news.changed(tx, row.appointment_id, [account])
  }
}

const ended = (now: Date) => ({ deadline: null, ended_at: now })

const requestOver = () =>
  fail(
    'request_over',
    'This request is over: the time to answer has run out, or the client no longer needs it. Nothing was changed.',
  )
