import { formatPence } from '#contract/money.ts'
import type { VideoProduction } from '#contract/subscriptions/subscriptions.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { AdminMails } from '../accounts/accounts.admin-mails.ts'
import type { Charge } from '../payments/payments.charges.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { videoOrderMail } from './subscriptions.mails.ts'
import { toOrderedVideo, toVideoProduction, toVideoProgress } from './subscriptions.mapper.ts'
import { videoOffer } from './subscriptions.rules.ts'
import { noCard, stopped } from './subscriptions.service.ts'
import * as store from './subscriptions.store.ts'
import { readCourses } from './video-orders.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'publicUrl' | 'checkpoint'> & {
  adminMails: AdminMails
  practitioners: Practitioners
  payments: Payments
}

export type Videos = ReturnType<typeof createVideos>

/** Orders of a video produced over a call, charged once. `createVideoOrders` handles what follows the order. */
export function createVideos(deps: Dependencies) {
  const { db, clock, adminMails, practitioners, payments, publicUrl, checkpoint } = deps

  adminMails.template('subscription.video_ordered', async (tx, mail, to) => {
    const row = await store.findVideoOrder(tx, Number(mail.subject_id))
    return !row || row.done_at ? 'obsolete' : videoOrderMail(to, toOrderedVideo(row), publicUrl)
  })

  return {
    async production(caller: SignedIn): Promise<VideoProduction> {
      const me = await practitioners.requireOwn(db, caller)
      return answer(me)
    },

    /**
     * Orders the video and charges the saved card. Repeating it charges nothing more.
     * @param shown the price in pounds that the practitioner saw, if the page says it
     * @throws 404 `no_card`; 422 `price_changed`; 402 `card_declined`, `authentication_required`; 429; 503. None of
     * them has charged the card
     */
    async order(caller: SignedIn, shown?: number): Promise<VideoProduction> {
      const me = await practitioners.requireOwn(db, caller)
      const begun = await inTransaction(db, async (tx) => {
        await practitioners.lock(tx, me.id)
        const row = await store.findVideo(tx, me.id)
        return row?.ordered_at ? undefined : begin(tx, caller, me, shown)
      })
      if (begun) await finishAttempt(me.id, await payments.authoriseCharge(begun))
      return answer(me)
    },

    /** Continues after the bank has authenticated the practitioner. @throws as `order`; 409 `not_payable` */
    async confirm(caller: SignedIn): Promise<'success'> {
      const me = await practitioners.requireOwn(db, caller)
      const row = await store.findVideo(db, me.id)
      if (row?.ordered_at) return 'success'
      if (!row?.charge_id) throw fail('not_payable', 'There is no payment to confirm.')
      await finishAttempt(me.id, await payments.confirmCharge(row.charge_id))
      return 'success'
    },
  }

  async function begin(
    tx: Tx,
    caller: SignedIn,
    me: { id: number; created_at: Date },
    shown: number | undefined,
  ) {
    const { pricePence } = videoOffer(me.created_at, clock.now())
    if (shown !== undefined && Math.round(shown * 100) !== pricePence) throw priceChanged(pricePence)
    const card = await payments.cardInUse(tx, caller.accountId)
    if (!card) throw noCard()
    const begun = await payments.beginCharge(tx, {
      accountId: caller.accountId,
      methodId: card.customer_id,
      purpose: 'video_production',
      subject: `video production ${me.id}`,
      amountPence: pricePence,
      onSession: true,
    })
    await store.saveVideoAttempt(tx, {
      practitioner_id: me.id,
      price_pence: pricePence,
      charge_id: begun.chargeId,
    })
    return begun
  }

  /** Stores the order and begins the capture in one transaction. @throws the refusal of the charge, if any */
  async function finishAttempt(practitionerId: number, charge: Charge): Promise<void> {
    const ordered = await inTransaction(db, async (tx) => {
      await practitioners.lock(tx, practitionerId)
      const row = await store.findVideo(tx, practitionerId)
      if (row?.ordered_at) return true
      if (row?.charge_id !== charge.id || !(await payments.takeCharge(tx, charge.id))) return false
      await store.orderVideo(tx, practitionerId, clock.now())
      await adminMails.enqueue(tx, {
        template: 'subscription.video_ordered',
        about: { type: 'video-order', id: String(practitionerId) },
        dedupeKey: `subscription.video_ordered ${practitionerId}`,
      })
      return true
    })
    if (ordered) await checkpoint('video ordered')
    await payments.finishChargeSoon(charge.id)
    if (!ordered) throw payments.refusalOf(charge) ?? stopped()
  }

  async function answer(me: { id: number; created_at: Date; timezone: string }): Promise<VideoProduction> {
    const now = clock.now()
    const row = await store.findVideo(db, me.id)
    const course = (await readCourses(db, [me.id])).get(me.id)
    const progress = course ? toVideoProgress(course, me.timezone, now) : null
    return toVideoProduction(row, me.created_at, now, progress)
  }
}

/** The offer has ended since the page was loaded. */
function priceChanged(pence: number) {
  const message = `The video costs ${formatPence(pence)} now.`
  return fail('price_changed', `${message} Nothing was charged. Please check it and go on.`, {
    errors: { price: [message] },
    details: { fee: pence / 100 },
  })
}
