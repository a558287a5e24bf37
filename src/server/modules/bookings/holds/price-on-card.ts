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
    // A draft keeps no discount: a booking that has a time takes it.
    const holder = price.discountPence > 0 || row.state !== 'pending' ? undefined : await lockHolder(tx, row)
    if (price.discountPence === 0 && holder === undefined) return price
    if (await payments.cardHadDiscount(tx, methodId, row.id)) return priceOf(row.fee_pence, 0)
    if (holder === undefined) return price
    await store.changeTerms(tx, holder, { discount_pence: 0 })
    return quotes.priceFor(tx, row.client_id, row.fee_pence, row.id)
  }

  /** The client's hold that has the discount and whose payment has not begun, locked; before the card, as a payment does. */
  async function lockHolder(tx: Tx, row: store.AppointmentRow): Promise<string | undefined> {
    const id = await store.findDiscountHold(tx, row.client_id, row.id)
    if (id === undefined) return undefined
    // As a hold does, which may take the discount for another session at the same time.
    await availability.lockClient(tx, row.client_id)
    const held = await store.lockAppointment(tx, id)
    if (held?.state !== 'pending' || held.discount_pence === 0) return undefined
    return (await payments.live(tx, id, 'booking')) ? undefined : id
  }
}
