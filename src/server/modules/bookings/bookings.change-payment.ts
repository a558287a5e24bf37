import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalidField, ProductError } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import type { BookingDependencies } from './bookings.deps.ts'
import { priceChanged } from './holds/quote.ts'
import * as store from './bookings.store.ts'

/** What is paid with a change, by the card of `customerId`. */
type Charge = {
  amountPence: number
  discountPence: number
  customerId: string | null | undefined
  /** Shown at the field of the card where none was chosen. */
  cardNeeded: string
  /** Throws if the session can no longer be changed. */
  requireOpen?(row: store.AppointmentRow): void
  /** Returns the price of the session on the card where it is dearer than with another. */
  dearerOn?(tx: Tx, row: store.AppointmentRow, methodId: string): Promise<number | undefined>
}

type Moved = { row: store.AppointmentRow; intents: string[]; refunds?: string[] }

type Dependencies = Pick<BookingDependencies, 'db' | 'availability' | 'payments' | 'checkpoint'>

/**
 * Returns a function that pays for a change of a session and makes it. The payment is authorised before the change and
 * captured with it; it is voided if the change fails.
 */
export function createChangePayment({ db, availability, payments, checkpoint }: Dependencies) {
  /**
   * @param charge undefined where nothing is to be paid
   * @param move makes the change, with the id of the authorised payment intent
   * @throws 402 from the card; 422 at `customer_id`; as `move`
   */
  return async function payAndMove(
    caller: SignedIn,
    appointmentId: string,
    charge: Charge | undefined,
    move: (intentId: string | undefined) => Promise<Moved>,
  ): Promise<store.AppointmentRow> {
    const intentId = charge && (await authorise(caller, appointmentId, charge))
    await checkpoint('change paid')
    const moved = await move(intentId).catch(async (error: unknown) => {
      if (intentId) await voidIntent(appointmentId, intentId)
      throw availability.movedIntoTaken(error) ?? error
    })
    await checkpoint('session moved')
    await payments.finishSoon(moved)
    return moved.row
  }

  /** Returns the id of the payment intent. One that is abandoned is voided by the recovery of changes. */
  async function authorise(caller: SignedIn, appointmentId: string, charge: Charge): Promise<string> {
    if (charge.customerId == null) throw invalidField('customer_id', charge.cardNeeded)
    const card = await payments.cardToPayWith(caller, charge.customerId)
    const begun = await inTransaction(db, async (tx) => {
      const row = owned('appointment', caller, await store.lockAppointment(tx, appointmentId))
      charge.requireOpen?.(row)
      const dearer = await charge.dearerOn?.(tx, row, card.id)
      if (dearer !== undefined) return { changedTo: dearer }
      return payments.begin(tx, {
        appointmentId,
        methodId: card.id,
        amountPence: charge.amountPence,
        discountPence: charge.discountPence,
        purpose: 'change',
      })
    })
    if ('changedTo' in begun) throw priceChanged(begun.changedTo)
    try {
      await payments.authorise(caller, begun)
    } catch (error) {
      // A payment that waits for authentication by the bank stays open; any other error voids it.
      const isAtBank = error instanceof ProductError && error.code === 'authentication_required'
      if (!isAtBank && begun.fresh) await voidIntent(appointmentId, begun.intentId)
      throw error
    }
    return begun.intentId
  }

  async function voidIntent(appointmentId: string, intentId: string): Promise<void> {
    const intents = await inTransaction(db, (tx) => payments.releaseAll(tx, appointmentId, { id: intentId }))
    await payments.finishSoon({ intents })
  }
}
