import type { HelpRequestState } from '#contract/get-help/get-help.ts'
import { helpMinutes } from '#contract/get-help/get-help.ts'
import { later, minutes } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { errorName, fail } from '../../errors.ts'
import type { InstantSessions } from '../bookings/bookings.instant.ts'
import type { Chat } from '../chat/chat.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { getHelpSweepJob } from './get-help.jobs.ts'
import type { HelpMailing } from './get-help.mailing.ts'
import type { Matching } from './get-help.matching.ts'
import type { HelpNews } from './get-help.news.ts'
import { isDue, isLive, lifetimes } from './get-help.rules.ts'
import * as store from './get-help.store.ts'

export type DispatchDependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'queue' | 'log'> & {
  practitioners: Practitioners
  payments: Payments
  instant: InstantSessions
  matching: Matching
  mailing: HelpMailing
  news: HelpNews
  chat: Pick<Chat, 'open'>
  /** Called between two steps of what spans several transactions; a test stops the product there. */
  checkpoint: (step: string) => Promise<void>
}

/** How many searches one sweep looks after; the next one takes the rest. */
const sweepBatch = 200

export type Dispatch = ReturnType<typeof createDispatch>

/**
 * Looking for somebody who accepts, from the payment on. Every step is one short transaction under the lock of the search;
 * the gateway is spoken to between them, by whoever made the step, by a job after a crash, and by the sweep in the end.
 */
export function createDispatch(deps: DispatchDependencies) {
  const { db, clock, random, queue, log, practitioners, payments, instant, matching, mailing, news } = deps
  const { chat, checkpoint } = deps

  return {
    /** The money is there: asks whoever is claimed, or the next if they can no longer be asked. */
    async begin(appointmentId: string): Promise<void> {
      const intents = await inTransaction(db, async (tx) => {
        const row = await store.lockDispatch(tx, appointmentId)
        return row ? beginAsking(tx, row) : []
      })
      await checkpoint('practitioner asked')
      await payments.settleSoon({ intents })
    },

    /**
     * A practitioner answers: the session begins now, or the next one is asked.
     * @throws 409 `request_over` when it is too late, with nothing changed
     */
    async answer(offer: store.OfferRow, as: 'accepted' | 'declined'): Promise<void> {
      const done = await inTransaction(db, async (tx) => {
        const row = await store.lockDispatch(tx, offer.appointment_id)
        const current = await store.findOffer(tx, offer.id)
        if (!row || !current) throw requestOver()
        // Saying the same again changes nothing.
        if (current.state === as) return { intents: [], repeated: true }
        if (row.state !== 'asking' || current.state !== 'open' || isDue(current.answer_by, clock.now())) {
          throw requestOver()
        }
        if (as === 'declined') return { intents: await goOn(tx, row, 'declined'), repeated: false }
        if (!(await practitioners.listed(tx, current.practitioner_id))) throw requestOver()
        return { intents: await accept(tx, row), repeated: false }
      })
      if (done.repeated) return
      await checkpoint(as === 'accepted' ? 'help accepted' : 'practitioner asked')
      await payments.settleSoon(done)
    },

    /** The client gives up, at no cost. False once somebody has accepted, or it has ended otherwise. */
    async stop(appointmentId: string, reason: string | null): Promise<boolean> {
      const done = await inTransaction(db, async (tx) => {
        const row = await store.lockDispatch(tx, appointmentId)
        return row && isLive(row.state) ? endByClient(tx, row, reason) : undefined
      })
      if (!done) return false
      await checkpoint('help stopped')
      await payments.settleSoon({ intents: done })
      return true
    },

    /** Ends a search as the client wishes, inside a transaction that holds its lock. The intents to settle. */
    endByClient,

    /**
     * Withdraws every request and claim from a practitioner who is suspended; each search goes on with the next one, in
     * the same transaction.
     */
    async withdrawFrom(tx: Tx, practitionerId: number): Promise<void> {
      for (const id of await store.listLiveOf(tx, practitionerId)) {
        const row = await store.lockDispatch(tx, id)
        if (row?.practitioner_id !== practitionerId) continue
        if (row.state === 'asking') await goOn(tx, row, 'withdrawn')
        else if (row.state === 'claimed') await replaceClaim(tx, row)
      }
    },

    /** How many searches wait for a practitioner, paid or not. */
    countLiveOf: async (handle: Db, practitionerId: number) =>
      (await store.listLiveOf(handle, practitionerId)).length,

    /** Does what has become due. */
    sweep: async () => lookAfter(await store.listDue(db, clock.now(), sweepBatch)),

    /** Ends what was not paid in time, so that whoever it held is free for the next at once. */
    endUnpaid: async () => lookAfter(await store.listUnpaid(db, clock.now(), sweepBatch)),
  }

  /** One search that cannot be looked after does not keep the others from their turn. */
  async function lookAfter(ids: string[]): Promise<void> {
    for (const id of ids) {
      try {
        const intents = await inTransaction(db, async (tx) => {
          const row = await store.lockDispatch(tx, id)
          return row ? moveOn(tx, row) : []
        })
        await checkpoint('search moved on')
        await payments.settleSoon({ intents })
      } catch (error) {
        log.error({ err: { name: errorName(error) } }, 'A search for help could not be looked after.')
      }
    }
  }

  /** What the system does with a search of its own accord. The intents to settle. */
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
    const live = await payments.live(tx, row.appointment_id, 'booking')
    if (live?.state !== 'authorised') return []
    const now = clock.now()
    const paid = { paid_at: now, ask_until: later(now, lifetimes.asking) }
    if (await matching.stillFits(tx, row.practitioner_id)) {
      await ask(tx, row, row.practitioner_id, paid)
      return []
    }
    return next(tx, row, paid)
  }

  /** The open request has come to nothing. */
  async function goOn(
    tx: Tx,
    row: store.DispatchRow,
    as: 'declined' | 'lapsed' | 'withdrawn',
  ): Promise<string[]> {
    await settleOffer(tx, row, as)
    if (isDue(row.ask_until, clock.now())) return endWithNobody(tx, row)
    return next(tx, row)
  }

  /** Claims somebody else for a client who may not have paid yet. Without anybody, the search ends at no cost. */
  async function replaceClaim(tx: Tx, row: store.DispatchRow): Promise<string[]> {
    const live = await payments.live(tx, row.appointment_id, 'booking')
    if (live?.state === 'authorised') return beginAsking(tx, row)
    const claimed = await claimNext(tx, row)
    news.changed(tx, row.appointment_id, [row.client_id])
    if (claimed) return claimed.intents
    await store.changeDispatch(tx, row.appointment_id, 'claimed', 'expired', ended(clock.now()))
    return instant.end(tx, row.appointment_id, { state: 'expired' })
  }

  /** Lets go of whoever is claimed and claims somebody else, if there is anybody. */
  async function claimNext(tx: Tx, row: store.DispatchRow) {
    if (row.issue_id === null) return undefined
    // Only then is the client free for the next, and only if there is none does the appointment end.
    if (row.reservation_id) await instant.release(tx, row.reservation_id)
    const claimed = await matching.claim(tx, {
      clientId: row.client_id,
      issueId: row.issue_id,
      dispatchId: row.appointment_id,
      preferredId: null,
    })
    if (claimed === 'nobody' || claimed === 'client_busy') return undefined
    await instant.reassign(tx, row.appointment_id, claimed)
    return claimed
  }

  /** Lets go of whoever is claimed and asks somebody else, if there is anybody. */
  async function next(
    tx: Tx,
    row: store.DispatchRow,
    paid?: { paid_at: Date; ask_until: Date },
  ): Promise<string[]> {
    const claimed = await claimNext(tx, row)
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
    await queue.enqueue(tx, getHelpSweepJob, {}, { startAfter: answerBy })
    await mailing.note(tx, row.appointment_id, 'asked', offerId)
    const account = await practitioners.accountOf(tx, practitionerId)
    if (account) await news.offered(tx, row.appointment_id, account)
    news.changed(tx, row.appointment_id, [row.client_id])
  }

  async function accept(tx: Tx, row: store.DispatchRow): Promise<string[]> {
    const now = clock.now()
    const pair = { clientAccountId: row.client_id, practitionerId: row.practitioner_id }
    const dialogId = await chat.open(tx, { ...pair, openedFor: 'session' })
    await store.settleOffer(tx, row.appointment_id, 'accepted', now)
    await store.changeDispatch(tx, row.appointment_id, 'asking', 'accepted', {
      ...ended(now),
      dialog_id: dialogId,
    })
    const intents = await instant.confirm(tx, row.appointment_id, {
      startsAt: now,
      endsAt: later(now, minutes(helpMinutes)),
    })
    await mailing.note(tx, row.appointment_id, 'accepted')
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
    await mailing.note(tx, row.appointment_id, 'nobody')
    news.changed(tx, row.appointment_id, [row.client_id])
    return instant.end(tx, row.appointment_id, { state: 'cancelled', by: 'system' })
  }

  async function endByClient(tx: Tx, row: store.DispatchRow, reason: string | null): Promise<string[]> {
    if (row.state === 'asking') await settleOffer(tx, row, 'withdrawn')
    await store.changeDispatch(tx, row.appointment_id, row.state, 'stopped', ended(clock.now()))
    news.changed(tx, row.appointment_id, [row.client_id])
    return instant.end(tx, row.appointment_id, { state: 'cancelled', by: 'client', reason })
  }

  async function settleOffer(
    tx: Tx,
    row: store.DispatchRow,
    as: Exclude<HelpRequestState, 'open' | 'accepted'>,
  ): Promise<void> {
    const asked = await store.settleOffer(tx, row.appointment_id, as, clock.now())
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
