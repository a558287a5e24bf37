import type { AnswerOf, BodyOf, QueryOf } from '#contract/endpoints.ts'
import type {
  Payable,
  PayoutReversalReason,
  RecordedPayout,
  VideoOrder,
} from '#contract/back-office/practitioners.ts'
import type { VideoUndo } from '#contract/subscriptions/video-orders.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { ReceivedFile } from '../../uploads/received-file.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import type { VideoOrders } from '../subscriptions/video-orders.service.ts'
import { asAdmin } from './as-admin.ts'
import { createAudit } from './audit.ts'
import { metaOf, rangeOf } from './paging.ts'
import type { Payouts } from './payouts.service.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  payouts: Payouts
  practitioners: Pick<Practitioners, 'lock'>
  videoOrders: Pick<VideoOrders, 'orders' | 'finish' | 'propose' | 'upload' | 'undo' | 'linkForAdmin'>
}

export type PractitionersAdmin = ReturnType<typeof createPractitionersAdmin>

/** Manual acts of admins for practitioners. Each writes an audit entry in the same transaction. */
export function createPractitionersAdmin({ db, clock, payouts, practitioners, videoOrders }: Dependencies) {
  const audit = createAudit({ clock })

  return {
    async payouts(
      caller: SignedIn,
      { search, page = 1 }: QueryOf<'GET /admin/payouts'>,
    ): Promise<AnswerOf<'GET /admin/payouts'>> {
      asAdmin(caller)
      const { data, total } = await payouts.payables(db, search, rangeOf(page))
      return { data, meta: metaOf(total, page) }
    },

    /** Writes down a transfer. @throws as `payOut` */
    async payOut(caller: SignedIn, id: number, body: BodyOf<'POST /admin/payouts/{id}'>): Promise<Payable> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        if (!(await practitioners.lock(tx, id))) throw notFound('This practitioner')
        const { reference, beyond_payable = false, despite_suspension = false } = body
        const amountPence = Math.round(body.amount * 100)
        const recorded = await payouts.payOut(tx, id, {
          amountPence,
          owedBeforePence: Math.round(body.owed_before * 100),
          reference,
          isBeyondPayable: beyond_payable,
          isDespiteSuspension: despite_suspension,
        })
        const despite = [
          ...(recorded.isBeyondPayable ? ['beyond what could be paid out'] : []),
          ...(recorded.isDespiteSuspension ? ['despite the suspension'] : []),
        ]
        await audit(tx, caller, {
          action: 'pay out',
          subject: [`£${(amountPence / 100).toFixed(2)} to practitioner ${id}`, ...despite].join(', '),
          practitioner_id: id,
          reason: reference,
        })
        return payouts.payable(tx, id)
      })
    },

    async recordedPayouts(
      caller: SignedIn,
      { search, page = 1 }: QueryOf<'GET /admin/payouts/recorded'>,
    ): Promise<AnswerOf<'GET /admin/payouts/recorded'>> {
      asAdmin(caller)
      const { data, total } = await payouts.recorded(db, search, rangeOf(page))
      return { data, meta: metaOf(total, page) }
    },

    /** Writes down that a payout came back, or was recorded wrongly. @throws 404 */
    async reversePayout(
      caller: SignedIn,
      id: string,
      { reversal_reason: reason }: BodyOf<'POST /admin/payouts/recorded/{payout_id}/reverse'>,
    ): Promise<RecordedPayout> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        const payout = await payouts.oneRecorded(tx, id)
        await practitioners.lock(tx, payout.practitioner_id)
        if (await payouts.reverse(tx, payout, reason)) {
          await audit(tx, caller, {
            action: 'reverse payout',
            subject: `£${payout.amount.toFixed(2)} to practitioner ${payout.practitioner_id}, ${payout.reference}`,
            practitioner_id: payout.practitioner_id,
            reason: reversalReasons[reason],
          })
        }
        return payouts.oneRecorded(tx, id)
      })
    },

    async videoOrders(
      caller: SignedIn,
      { status = 'open', page = 1 }: QueryOf<'GET /admin/video-orders'>,
    ): Promise<AnswerOf<'GET /admin/video-orders'>> {
      asAdmin(caller)
      const { data, total } = await videoOrders.orders(db, status, rangeOf(page))
      return { data, meta: metaOf(total, page) }
    },

    /** Marks a video as made. @throws as `VideoOrders.finish` */
    async finishVideo(
      caller: SignedIn,
      id: number,
      { version }: BodyOf<'POST /admin/video-orders/{id}/done'>,
    ): Promise<VideoOrder> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        const { order, isNew } = await videoOrders.finish(tx, id, version)
        if (isNew) await note(tx, caller, id, 'finish video')
        return order
      })
    },

    /** Proposes dates for the call. @throws as `VideoOrders.propose` */
    async proposeDates(
      caller: SignedIn,
      id: number,
      body: BodyOf<'POST /admin/video-orders/{id}/dates'>,
    ): Promise<VideoOrder> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        const { order, isNew } = await videoOrders.propose(tx, id, body)
        if (isNew) await note(tx, caller, id, 'propose video dates')
        return order
      })
    },

    /** Stores the video for the practitioner to approve. @throws as `VideoOrders.upload` */
    async uploadVideo(caller: SignedIn, id: number, file: ReceivedFile): Promise<VideoOrder> {
      asAdmin(caller)
      return videoOrders.upload(id, file, (tx) => note(tx, caller, id, 'upload video'))
    },

    /** A link to the video that waits for approval. @throws 404 */
    async videoLink(caller: SignedIn, id: number) {
      asAdmin(caller)
      return videoOrders.linkForAdmin(id)
    },

    /** Takes the back office's last step back. @throws as `VideoOrders.undo` */
    async undoVideo(
      caller: SignedIn,
      id: number,
      body: BodyOf<'POST /admin/video-orders/{id}/undo'>,
    ): Promise<VideoOrder> {
      asAdmin(caller)
      return inTransaction(db, async (tx) => {
        const order = await videoOrders.undo(tx, id, body)
        await note(tx, caller, id, undoActions[body.undo])
        return order
      })
    },
  }

  async function note(tx: Tx, caller: SignedIn, id: number, action: string): Promise<void> {
    await audit(tx, caller, { action, subject: `video of practitioner ${id}`, practitioner_id: id })
  }
}

const reversalReasons: Record<PayoutReversalReason, string> = {
  returned_by_bank: 'Returned by the bank',
  recorded_wrongly: 'Recorded wrongly',
}

const undoActions = {
  proposal: 'undo video dates',
  upload: 'undo video upload',
  done: 'undo finish video',
} as const satisfies Record<VideoUndo, string>
