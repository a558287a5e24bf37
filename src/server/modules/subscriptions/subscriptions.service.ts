import type { z } from 'zod'
import type { BodyOf } from '#contract/endpoints.ts'
import type { NewTherapistCard } from '#contract/payments.ts'
import type { Subscription, TherapistCard } from '#contract/subscriptions/subscriptions.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { BegunCharge } from '../payments/payments.charges.ts'
import { toSubscription, toTherapistCard } from './subscriptions.mapper.ts'
import { createRenewal, type RenewalDependencies } from './subscriptions.renewal.ts'
import { statusOf, subscribedUntil } from './subscriptions.rules.ts'
import * as store from './subscriptions.store.ts'

type Dependencies = RenewalDependencies &
  Pick<Deps, 'random'> & {
    /** Monthly price of a new subscription. */
    pricePence: number
  }

export type Subscriptions = ReturnType<typeof createSubscriptions>

const subscribed = 'You have successfully subscribed' as const

/** Practitioners' subscriptions, and the card that pays them. */
export function createSubscriptions(deps: Dependencies) {
  const { db, clock, random, practitioners, payments, outbox, pricePence } = deps
  const renewal = createRenewal(deps)

  return {
    sweep: renewal.sweep,
    advance: renewal.advance,
    vetted: renewal.vetted,
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
     * Replaces the saved card. A subscription that is past due is charged on it at once, unless the caller pays it next;
     * `subscription` returns the outcome.
     * @throws 422 `card_refused`
     */
    async replaceCard(
      caller: SignedIn,
      { charges_due = true, ...body }: z.infer<typeof NewTherapistCard>,
    ): Promise<TherapistCard> {
      const card = toTherapistCard(await payments.replaceCard(caller, body))
      if (!charges_due) return card
      const me = await practitioners.ofAccount(db, caller.accountId)
      const live = me && (await store.findLive(db, me.id))
      if (live?.state === 'past_due') {
        // The card stays saved if this charge fails, and the scheduled retries continue.
        await pay(caller, card.payment_method_id, { isPastDueOnly: true }).catch(() => undefined)
      }
      return card
    },

    /** @throws 404 `not_subscribed` */
    async subscription(caller: SignedIn): Promise<Subscription> {
      const me = await practitioners.requireOwn(db, caller)
      const row = await store.findLive(db, me.id)
      if (!row || !statusOf(row.state)) throw await notSubscribed(db, me.id)
      return shown(db, row)
    },

    /**
     * Subscribes. An approved practitioner is charged for the first month at once, another with the approval. A
     * cancelled subscription that still runs is resumed; one that is past due is paid. Repeating it charges nothing
     * more. With `past_due_only` it is paid or left as it is: what was shown as past due may have ended.
     * @throws 404 card; 402 `card_declined`, `authentication_required`; 409 `changed_elsewhere`; 429; 503. None of them
     * has charged the card
     */
    async subscribe(
      caller: SignedIn,
      { payment_method_id, past_due_only }: BodyOf<'POST /therapist/subscription/subscribe'>,
    ): Promise<typeof subscribed> {
      const card = await payments.cardToPayWith(caller, payment_method_id)
      await pay(caller, card.id, { isPastDueOnly: past_due_only })
      return subscribed
    },

    /** Continues after the bank has authenticated the practitioner. @throws as `subscribe`; 409 `not_payable` */
    async confirm(caller: SignedIn): Promise<'success'> {
      const me = await practitioners.requireOwn(db, caller)
      const row = await store.findLive(db, me.id)
      if (row?.state === 'active' && !row.charge_id) return 'success'
      if (!row?.charge_id) throw fail('not_payable', 'There is no payment to confirm.')
      await finishAttempt(row.id, await payments.confirmCharge(row.charge_id))
      return 'success'
    },

    /**
     * Cancels the renewal. A paid subscription runs to the end of its month; an unpaid one ends at once. Repeating it
     * changes nothing.
     * @throws 404 `not_subscribed`
     */
    async cancel(caller: SignedIn): Promise<Subscription> {
      const me = await practitioners.requireOwn(db, caller)
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
          await outbox.note(tx, me.id, 'cancelled', {
            until: row.paid_until.toISOString(),
            is_hidden: !(await practitioners.isVetted(tx, me.id)),
          })
        } else if (row.state === 'active') {
          // The paid month is over and its renewal has not succeeded.
          await store.moveSubscription(tx, row, 'cancelling', { cancelled_at: clock.now() })
          await renewal.end(tx, { ...row, state: 'cancelling' })
        } else if (row.state !== 'cancelling') await renewal.end(tx, row)
        return answer(tx, row.id)
      })
    },

    /** Resumes a cancelled subscription. Repeating it changes nothing. @throws 404 `not_subscribed`, 409 */
    async resume(caller: SignedIn): Promise<Subscription> {
      const me = await practitioners.requireOwn(db, caller)
      return inTransaction(db, async (tx) => {
        await practitioners.lock(tx, me.id)
        const row = await store.findLive(tx, me.id)
        if (!row || !statusOf(row.state)) throw await notSubscribed(tx, me.id)
        if (row.state === 'cancelling' && !(await goOn(tx, row))) throw await notSubscribed(tx, me.id)
        return answer(tx, row.id)
      })
    },
  }

  /** Charges the practitioner on-session for the amount due now, if any. @throws as `subscribe` */
  async function pay(
    caller: SignedIn,
    methodId: string,
    { isPastDueOnly = false }: { isPastDueOnly?: boolean | undefined } = {},
  ): Promise<void> {
    const me = await practitioners.requireOwn(db, caller)
    const begun = await inTransaction(db, async (tx) => {
      if (isPastDueOnly) await requirePastDue(tx, me.id)
      return beginPaying(tx, caller, me.id, methodId)
    })
    if (begun) await finishAttempt(begun.id, await payments.authoriseCharge(begun.charge))
  }

  /** @throws 409 `changed_elsewhere` unless the subscription is past due, or has been paid */
  async function requirePastDue(tx: Tx, practitionerId: number): Promise<void> {
    await practitioners.lock(tx, practitionerId)
    const row = await store.findLive(tx, practitionerId)
    if (row?.state === 'past_due' || row?.state === 'active') return
    throw fail(
      'changed_elsewhere',
      'There is no payment to make any more, and nothing was charged. Please look at your subscription again.',
    )
  }

  /** @throws the refusal of the charge, unless the subscription is paid */
  async function finishAttempt(id: string, charge: Parameters<typeof renewal.finish>[1]): Promise<void> {
    const refused = await renewal.finish(id, charge)
    // Another request may have paid the subscription, or have cancelled or suspended it meanwhile.
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
    const isVetted = await practitioners.isVetted(tx, practitionerId)
    const row = await currentRow(tx, practitionerId, isVetted)
    if (row.state === 'active') return undefined
    if (!isVetted) {
      if (row.state === 'starting') {
        if (row.charge_id) await payments.releaseCharge(tx, row.charge_id)
        await store.moveSubscription(tx, row, 'waiting', { charge_id: null })
      }
      return undefined
    }
    const by = { accountId: caller.accountId, methodId, onSession: true }
    return { id: row.id, charge: await renewal.begin(tx, row, by) }
  }

  /** The subscription to pay: the live one, or a new one. A cancelled one that still runs is resumed. */
  async function currentRow(
    tx: Tx,
    practitionerId: number,
    isVetted: boolean,
  ): Promise<store.SubscriptionRow> {
    const row = await store.findLive(tx, practitionerId)
    if (row?.state === 'starting') {
      // It was begun and never paid. The API shows no subscription, and the price of a new one.
      await store.setPrice(tx, row.id, pricePence)
      return { ...row, price_pence: pricePence }
    }
    if (row && row.state !== 'cancelling') return row
    if (row && (await goOn(tx, row))) return reread(tx, row.id)
    if (row) await renewal.end(tx, row)
    const now = clock.now()
    const id = random.uuid(now)
    await store.insertSubscription(tx, {
      id,
      practitioner_id: practitionerId,
      state: isVetted ? 'starting' : 'waiting',
      price_pence: pricePence,
      created_at: now,
    })
    return reread(tx, id)
  }

  /** Resumes a cancelled subscription. Returns false if its month is over. */
  async function goOn(tx: Tx, row: store.SubscriptionRow): Promise<boolean> {
    if (!row.paid_until || row.paid_until <= clock.now()) return false
    await store.moveSubscription(tx, row, 'active', { due_at: row.paid_until, cancelled_at: null })
    await practitioners.setSubscribedUntil(tx, row.practitioner_id, subscribedUntil('active', row.paid_until))
    return true
  }

  async function shown(handle: Db, row: store.SubscriptionRow): Promise<Subscription> {
    return toSubscription(row, (await practitioners.lapsedAt(handle, row.practitioner_id)) !== null)
  }

  async function answer(tx: Tx, id: string): Promise<Subscription> {
    return shown(tx, await reread(tx, id))
  }

  async function reread(tx: Tx, id: string): Promise<store.SubscriptionRow> {
    const row = await store.findSubscription(tx, id)
    if (!row) throw new Error('A subscription has gone.')
    return row
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

/** @returns 409 for a payment that was voided while it was under way */
export function stopped() {
  return fail('not_payable', 'This payment was stopped, and none of it is kept. Please try again.')
}

/** @returns 404 `no_card` */
export function noCard() {
  return fail('no_card', 'You have not saved a card yet. Please add one first.')
}
