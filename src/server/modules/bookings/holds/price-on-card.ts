import type { Tx } from '../../../db/connection.ts'
import type { BookingDependencies } from '../bookings.deps.ts'
import { type Price, priceOf } from '../bookings.rules.ts'
import * as store from '../bookings.store.ts'
import type { Quotes } from './quote.ts'

/** The price of a started booking on the card that pays for it. */
export function createPriceOnCard(
  { availability, payments }: Pick<BookingDependencies, 'availability' | 'payments'>,
  quotes: Quotes,
) {
  return priceOnCard

  /**
   * A card gets the first-session discount once, whichever client pays with it. A client's booking that is paid before another
   * one that only holds the discount takes it over. The caller holds the appointment's lock.
   */
  async function priceOnCard(tx: Tx, row: store.AppointmentRow, methodId: string): Promise<Price> {
    const price = await quotes.priceFor(tx, row.client_id, row.fee_pence, row.id)
    const holder =
      price.discountPence > 0 ? undefined : await store.findDiscountHold(tx, row.client_id, row.id)
    if (price.discountPence === 0 && holder === undefined) return price
    if (await payments.cardHadDiscount(tx, methodId, row.id)) return priceOf(row.fee_pence, 0)
    if (holder === undefined || !(await giveUp(tx, row.client_id, holder))) return price
    return quotes.priceFor(tx, row.client_id, row.fee_pence, row.id)
  }

  /** Takes the discount off a hold. Returns false if its payment has begun, or it has none any more. */
  async function giveUp(tx: Tx, clientId: string, id: string): Promise<boolean> {
    // As a hold does, which may take the discount for another session at the same time.
    await availability.lockClient(tx, clientId)
    const held = await store.lockAppointment(tx, id)
    if (held?.state !== 'pending' || held.discount_pence === 0) return false
    if (await payments.live(tx, id, 'booking')) return false
    await store.changeTerms(tx, id, { discount_pence: 0 })
    return true
  }
}
