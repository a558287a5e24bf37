import type { z } from 'zod'
import type { NewCard } from '#contract/payments/payments.ts'
import type { Subscription, TherapistCard } from '#contract/subscriptions/subscriptions.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { BegunCharge } from '../payments/payments.charges.ts'
import { toSubscription, toTherapistCard } from './subscriptions.mapper.ts'
import { createRenewal, type RenewalDependencies } from './subscriptions.renewal.ts'
import { statusOf, subscribedUntil } from './subscriptions.rules.ts'
import * as store from './subscriptions.store.ts'

type Dependencies = RenewalDependencies &
  Pick<Deps, 'random'> & {
    /** What a month costs whoever subscribes now. */
    pricePence: number
  }

export type Subscriptions = ReturnType<typeof createSubscriptions>

const subscribed = 'You have successfully subscribed' as const

/** Practitioners' subscriptions, and the card that they are paid with. */
export function createSubscriptions(deps: Dependencies) {
  const { db, clock, random, practitioners, payments, mailing, pricePence } = deps
  const renewal = createRenewal(deps)

  return {
    sweep: renewal.sweep,
    advance: renewal.advance,
    approved: renewal.approved,
    closed: renewal.closed,

    /** The card in use. @throws 404 `no_card` */
    async card(caller: SignedIn): Promise<TherapistCard> {
      const card = await payments.cardInUse(db, caller.accountId)
      if (!card) throw noCard()
      return toTherapistCard(card)
    },

    /** Begins saving a card. @throws as `payments.beginCard` */
    beginCard: (caller: SignedIn) => payments.beginCard(caller),

    /**
     * Saves a card in the place of the one before. What is past due is tried with it at once; what comes of that is for
     * `subscription` to tell. @throws 422 `card_refused`
     */
    async replaceCard(caller: SignedIn, body: z.infer<typeof NewCard>): Promise<TherapistCard> {
      const card = toTherapistCard(await payments.replaceCard(caller, body))
      const me = await practitioners.ofAccount(db, caller.accountId)
      const live = me && (await store.findLive(db, me.id))
      if (live?.state === 'past_due') {
        // The card is saved whatever becomes of this, and the tries go on by themselves.
        await pay(caller, card.payment_method_id).catch(() => undefined)
      }
      return card
    },

    /** @throws 404 `not_subscribed` only where there really is none */
    async subscription(caller: SignedIn): Promise<Subscription> {
      const me = await mine(caller)
      const row = await store.findLive(db, me.id)
      if (!row || !statusOf(row.state)) throw await notSubscribed(db, me.id)
      return toSubscription(row)
    },

    /**
     * Subscribes. Approved, the first month is charged at once, else with the approval. A cancelled subscription that
     * still runs goes on, one that is past due is paid. Repeating it charges nothing more.
     * @throws 404 card; 402 `card_declined`, `authentication_required`; 429; 503. Nothing was charged then
     */
    async subscribe(caller: SignedIn, methodId: string): Promise<typeof subscribed> {
      const card = await payments.cardToPayWith(caller, methodId)
      await pay(caller, card.id)
      return subscribed
    },

    /** Goes on after the bank has checked that it is the practitioner. @throws as `subscribe`; 409 `not_payable` */
    async confirm(caller: SignedIn): Promise<'success'> {
      const me = await mine(caller)
      const row = await store.findLive(db, me.id)
      if (row?.state === 'active' && !row.charge_id) return 'success'
      if (!row?.charge_id) throw fail('not_payable', 'There is no payment to confirm.')
      await settleAttempt(row.id, await payments.confirmCharge(row.charge_id))
      return 'success'
    },

    /**
     * Renews it no more. A paid one runs to the end of its month; one that is not paid is over at once. Repeating it
     * changes nothing. @throws 404 `not_subscribed`
     */
    async cancel(caller: SignedIn): Promise<Subscription> {
      const me = await mine(caller)
      return inTransaction(db, async (tx) => {
        await practitioners.lock(tx, me.id)
        const row = await store.findLive(tx, me.id)
        if (!row || !statusOf(row.state)) throw await notSubscribed(tx, me.id)
        if (row.state === 'active' && row.paid_until && row.paid_until > clock.now()) {
          if (row.charge_id) await payments.releaseCharge(tx, row.charge_id)
          await store.moveSubscription(tx, row, 'cancelling', {
            charge_id: null,
            due_at: row.paid_until,
            cancelled_at: clock.now(),
          })
          await practitioners.setSubscribedUntil(tx, me.id, subscribedUntil('cancelling', row.paid_until))
          await mailing.note(tx, me.id, 'cancelled', { until: row.paid_until.toISOString() })
        } else if (row.state === 'active') {
          // The month is over, and the renewal has not come through.
          await store.moveSubscription(tx, row, 'cancelling', { cancelled_at: clock.now() })
          await renewal.end(tx, { ...row, state: 'cancelling' })
        } else if (row.state !== 'cancelling') await renewal.end(tx, row)
        return answer(tx, row.id)
      })
    },

    /** Renews a cancelled one after all. Repeating it changes nothing. @throws 404 `not_subscribed`, 409 */
    async resume(caller: SignedIn): Promise<Subscription> {
      const me = await mine(caller)
      return inTransaction(db, async (tx) => {
        await practitioners.lock(tx, me.id)
        const row = await store.findLive(tx, me.id)
        if (!row || !statusOf(row.state)) throw await notSubscribed(tx, me.id)
        if (row.state === 'cancelling' && !(await goOn(tx, row))) throw await notSubscribed(tx, me.id)
        return answer(tx, row.id)
      })
    },
  }

  /** Whoever is there pays what is to be paid now, if anything is. @throws as `subscribe` */
  async function pay(caller: SignedIn, methodId: string): Promise<void> {
    const me = await mine(caller)
    const begun = await inTransaction(db, (tx) => beginPaying(tx, caller, me.id, methodId))
    if (begun) await settleAttempt(begun.id, await payments.authoriseCharge(begun.charge))
  }

  /** @throws what there is to say when it was not paid */
  async function settleAttempt(id: string, charge: Parameters<typeof renewal.finish>[1]): Promise<void> {
    const refused = await renewal.finish(id, charge)
    // Whoever did it, this window or another one: it is paid. Cancelled or suspended meanwhile, it is not.
    const now = await store.findSubscription(db, id)
    if (now?.state !== 'active') throw refused ?? stopped()
  }

  async function beginPaying(
    tx: Tx,
    caller: SignedIn,
    practitionerId: number,
    methodId: string,
  ): Promise<{ id: string; charge: BegunCharge } | undefined> {
    await practitioners.lock(tx, practitionerId)
    const isApproved = await renewal.isApproved(tx, caller.accountId)
    const row = await currentRow(tx, practitionerId, isApproved)
    if (row.state === 'active') return undefined
    if (!isApproved) {
      if (row.state === 'starting') {
        if (row.charge_id) await payments.releaseCharge(tx, row.charge_id)
        await store.moveSubscription(tx, row, 'waiting', { charge_id: null })
      }
      return undefined
    }
    const by = { accountId: caller.accountId, methodId, onSession: true }
    return { id: row.id, charge: await renewal.begin(tx, row, by) }
  }

  /** The subscription to pay for: the one there is, or a new one. One that is cancelled and runs on is renewed again. */
  async function currentRow(
    tx: Tx,
    practitionerId: number,
    isApproved: boolean,
  ): Promise<store.SubscriptionRow> {
    const row = await store.findLive(tx, practitionerId)
    if (row && row.state !== 'cancelling') return row
    if (row && (await goOn(tx, row))) return reread(tx, row.id)
    if (row) await renewal.end(tx, row)
    const now = clock.now()
    const id = random.uuid(now)
    await store.insertSubscription(tx, {
      id,
      practitioner_id: practitionerId,
      state: isApproved ? 'starting' : 'waiting',
      price_pence: pricePence,
      created_at: now,
    })
    return reread(tx, id)
  }

  /** Renews a cancelled subscription again. False where its time is over. */
  async function goOn(tx: Tx, row: store.SubscriptionRow): Promise<boolean> {
    if (!row.paid_until || row.paid_until <= clock.now()) return false
    await store.moveSubscription(tx, row, 'active', { due_at: row.paid_until, cancelled_at: null })
    await practitioners.setSubscribedUntil(tx, row.practitioner_id, subscribedUntil('active', row.paid_until))
    return true
  }

  async function answer(tx: Tx, id: string): Promise<Subscription> {
    return toSubscription(await reread(tx, id))
  }

  async function reread(tx: Tx, id: string): Promise<store.SubscriptionRow> {
    const row = await store.findSubscription(tx, id)
    if (!row) throw new Error('A subscription has gone.')
    return row
  }

  async function mine(caller: SignedIn) {
    const me = await practitioners.ofAccount(db, caller.accountId)
    if (!me) throw notFound('This practitioner')
    return me
  }

  async function notSubscribed(handle: Db, practitionerId: number) {
    const last = await store.findLastEnded(handle, practitionerId)
    return fail('not_subscribed', 'You have no subscription.', {
      details: {
        price: pricePence / 100,
        ...(last ? { last_status: last.state, ended_at: last.ended_at?.toISOString() } : {}),
      },
    })
  }
}

/** @returns 409 for a payment that was let go of while it was under way */
export function stopped() {
  return fail('not_payable', 'This payment was stopped. Nothing was charged. Please try again.')
}

/** @returns 404 `no_card` */
export function noCard() {
  return fail('no_card', 'You have no card saved yet. Please add one first.')
}
