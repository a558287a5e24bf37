import type { Db, Tx } from '../../../db/connection.ts'
import type { BookingDependencies } from '../bookings.deps.ts'
import type { Price } from '../bookings.rules.ts'
import { type Bookings, reread } from '../bookings.service.ts'
import * as store from '../bookings.store.ts'
import { findFirstOfSeries } from './reserved.store.ts'

type Dependencies = Pick<BookingDependencies, 'accounts' | 'availability' | 'payments'> & {
  bookings: Pick<Bookings, 'priceFor'>
}

export type ReservedPrices = ReturnType<typeof createReservedPrices>

/**
 * The referral discount of a reserved session that is its client's first. The session that is agreed first gets it. If that one
 * is skipped, the next one gets it when its charge is announced or made.
 */
export function createReservedPrices({ accounts, availability, payments, bookings }: Dependencies) {
  return {
    reprice,

    /** What a client would pay for their next session. */
    preview: (handle: Db, clientId: string, feePence: number): Promise<Price> =>
      bookings.priceFor(handle, clientId, feePence),

    /** Takes the discount off the first reserved session of a series, if its client has not used it. */
    async useDiscount(tx: Tx, seriesId: string, methodId: string): Promise<void> {
      const id = await findFirstOfSeries(tx, seriesId)
      const row = id && (await store.lockAppointment(tx, id))
      if (row) await reprice(tx, row, methodId)
    },
  }

  /**
   * Gives a reserved session the discount if it is unused, and takes it back from one that is paid with a card that has had
   * one. The caller holds the session's lock.
   */
  async function reprice(
    tx: Tx,
    row: store.AppointmentRow,
    methodId: string | null,
  ): Promise<store.AppointmentRow> {
    const isDiscounted = row.discount_pence > 0
    if (!isDiscounted && (await accounts.referredBy(tx, row.client_id)) === null) return row
    // As a hold does, which may take the discount for another session at the same time.
    await availability.lockClient(tx, row.client_id)
    const price = isDiscounted ? undefined : await bookings.priceFor(tx, row.client_id, row.fee_pence, row.id)
    const wanted = price?.discountPence ?? row.discount_pence
    if (wanted === 0) return row
    const hadOne = methodId !== null && (await payments.cardHadDiscount(tx, methodId, row.id))
    const discountPence = hadOne ? 0 : wanted
    if (discountPence === row.discount_pence) return row
    await store.changeTerms(tx, row.id, { discount_pence: discountPence })
    return reread(tx, row.id)
  }
}
