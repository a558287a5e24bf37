import type { Appointment } from '#contract/bookings/bookings.ts'
import { formatPence } from '#contract/money.ts'
import type { Tx } from '../../../db/connection.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { ProductError } from '../../../errors.ts'
import type { SignedIn } from '../../../http/caller.ts'
import { owned } from '../../../http/policies.ts'
import { isAsWanted, moveTime, type Plan, requireShown, type Wanted } from '../bookings.moves.ts'
import type { createChangePayment } from '../bookings.change-payment.ts'
import type { BookingDependencies } from '../bookings.deps.ts'
import { toAppointment } from '../bookings.mapper.ts'
import { isFrozen } from '../bookings.rules.ts'
import { type Bookings, changeOf, notChangeable, reread } from '../bookings.service.ts'
import * as store from '../bookings.store.ts'
import { comparePrice } from '../holds/quote.ts'
import type { ReservedPrices } from './reserved.price.ts'
import { isDueAtOnce, paymentPlan } from './reserved.rules.ts'

type Dependencies = BookingDependencies & {
  bookings: Pick<Bookings, 'expireOn'>
  prices: Pick<ReservedPrices, 'reprice'>
  planChange(tx: Tx, row: store.AppointmentRow, body: Wanted): Promise<Plan>
  payAndMove: ReturnType<typeof createChangePayment>
}

/**
 * Moves a reserved session, for which nothing was paid, to another time, format or service. Its new price is stored and
 * taken at the new `pay_at`; where that has passed already, it is paid with the move.
 */
export function createReservedChange(deps: Dependencies) {
  const { db, clock, events, payments, outbox, bookings, prices } = deps
  const { planChange, payAndMove } = deps

  /**
   * Idempotent: a repeated request changes nothing more.
   * @throws 404; 409 `not_changeable`, `changed_elsewhere`, `slot_taken`; 422 `slot_not_offered`, `price_changed`, or by field; 402 from the card
   */
  return async function editReserved(
    caller: SignedIn,
    row: store.AppointmentRow,
    body: Wanted,
  ): Promise<Appointment> {
    requireMovable(row)
    if (isAsWanted(row, body)) return toAppointment(row)
    requireShown(row, body)
    const isDue = isDueAtOnce(new Date(body.appointment_datetime), clock.now())
    const card =
      isDue && body.customer_id != null ? await payments.cardToPayWith(caller, body.customer_id) : undefined
    const plan = await inTransaction(db, async (tx) =>
      planChange(tx, card ? await withDiscount(tx, row.id, card.id) : row, body),
    )
    comparePrice(plan.price, body.fee)
    const { duePence, discountPence } = plan.price
    const wholePrice = {
      amountPence: duePence,
      discountPence,
      customerId: body.customer_id,
      cardNeeded: `This time is so near that ${formatPence(duePence)} is paid at once. Choose a card.`,
      requireOpen: requireMovable,
      dearerOn: async (tx: Tx, locked: store.AppointmentRow, methodId: string) => {
        if (discountPence === 0) return undefined
        const priced = await prices.reprice(tx, locked, methodId)
        return priced.discount_pence === 0 ? plan.price.feePence : undefined
      },
    }
    const moved = await payAndMove(caller, row.id, isDue ? wholePrice : undefined, (intentId) =>
      carryOut(caller, body, plan, intentId),
    )
    return toAppointment(moved)
  }

  /** Gives a session that is paid now the discount, if it is unused. */
  async function withDiscount(tx: Tx, id: string, methodId: string): Promise<store.AppointmentRow> {
    const row = await store.lockAppointment(tx, id)
    if (!row) throw new Error('An appointment has gone.')
    return row.state === 'reserved' && row.discount_pence === 0 ? prices.reprice(tx, row, methodId) : row
  }

  async function carryOut(caller: SignedIn, body: Wanted, plan: Plan, intentId: string | undefined) {
    return inTransaction(db, async (tx) => {
      const row = owned('appointment', caller, await store.lockAppointment(tx, body.appointment_id))
      if (isAsWanted(row, body) && row.state === 'confirmed') return { row, intents: [] }
      requireMovable(row)
      if (!isAsWanted(row, body)) requireShown(row, body)
      const again = await planChange(tx, row, body)
      comparePrice(again.price, plan.price.duePence / 100)
      const { terms: changed, released } = await moveTime(deps, tx, row, { body, plan })
      const intents = await bookings.expireOn(tx, released)
      // A payment of the price and time before is voided.
      intents.push(...(await payments.releaseAll(tx, row.id, { purpose: 'booking' })))
      const { payAt, payBy } = paymentPlan(changed.starts_at, clock.now())
      const terms = { ...changed, pay_at: payAt, pay_by: payBy, pay_failures: 0 }
      if (intentId) {
        await store.changeState(tx, row.id, 'reserved', 'confirmed', { ...terms, charge_at: null })
        if (!(await payments.beginCapture(tx, intentId, plan.price.duePence))) {
          throw new ProductError('not_paid', 'The session has not been paid. Nothing was changed.')
        }
        intents.push(intentId)
      } else {
        await store.changeTerms(tx, row.id, { ...terms, charge_at: payAt })
      }
      const moved = await reread(tx, row.id)
      const hasMoved = row.starts_at?.getTime() !== moved.starts_at?.getTime()
      await outbox.note(tx, moved, 'moved', { movedFrom: hasMoved ? row.starts_at : null })
      await events.announce(tx, 'session.changed', { ...changeOf(moved), isPaid: intentId !== undefined })
      return { row: moved, intents }
    })
  }

  /** @throws 409 unless it is reserved, not frozen and has not begun */
  function requireMovable(row: store.AppointmentRow): void {
    const isOpen = row.state === 'reserved' && !isFrozen(row) && row.starts_at && clock.now() < row.starts_at
    if (!isOpen) throw notChangeable()
  }
}
