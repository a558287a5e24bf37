import { dayNumber, dayText } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { clocksOf } from '../availability/availability.service.ts'
import type { SeriesDependencies } from './series.deps.ts'
import type { SeriesDates } from './series.dates.ts'
import { localOf, type Side } from './series.rules.ts'
import * as store from './series.store.ts'
import * as dateStore from './series-dates.store.ts'
import * as priceStore from './series-prices.store.ts'

type Dependencies = Pick<
  SeriesDependencies,
  'clock' | 'availability' | 'reserved' | 'outbox' | 'consents'
> & {
  dates: SeriesDates
}

/** How series end: at once, or with their last day. What is paid stays, what is reserved goes. */
export function createEnding({ clock, availability, reserved, outbox, consents, dates }: Dependencies) {
  return {
    release,
    releaseKept,
    close,
    closeAfterLast,
    endWith,

    /** Ends a series at once and writes to both. Returns the payment intents to void. */
    async end(
      tx: Tx,
      row: store.SeriesRow,
      why: { by: Side; cause: store.EndCause; reason?: string | null },
    ): Promise<string[]> {
      const intents = await release(tx, row, { by: why.by })
      await close(tx, row, why)
      await outbox.note(tx, row.id, row.agreed_at === null ? 'declined' : 'ended')
      await dates.announce(tx, row.id)
      return intents
    },

    /** Stores the answer to a new price, also that there was none in time. Returns the payment intents to void. */
    async priceAnswered(
      tx: Tx,
      row: store.SeriesRow,
      price: priceStore.PriceRow,
      answer: 'accepted' | 'declined',
      answeredAt: Date | null,
    ): Promise<string[]> {
      await priceStore.answerPrice(tx, price.id, { answer, answered_at: answeredAt })
      if (answer === 'declined') {
        return endWith(tx, row, {
          lastOn: dayText(dayNumber(price.from_date) - 1),
          by: answeredAt === null ? 'system' : 'client',
          cause: 'price_declined',
        })
      }
      for (const session of await dateStore.listLive(tx, row.id, clock.now(), price.from_date)) {
        // One that its client has moved to another service or form has the price of that.
        const isOfSeries =
          session.service_id === row.service_id && session.appointment_type === row.appointment_type
        if (session.state === 'reserved' && isOfSeries) await reserved.setFee(tx, session.id, price.fee_pence)
      }
      await outbox.note(tx, row.id, 'price_accepted', {
        about: price.id,
        fee_pence: price.fee_pence,
        from_date: price.from_date,
      })
      await dates.announce(tx, row.id)
      return []
    },
  }

  /**
   * Ends a series with a day, and withdraws a price that would begin later. Returns the payment intents to void.
   * @param why.lastAt when its last session begins: dates that were moved to a time after it go as well
   */
  async function endWith(
    tx: Tx,
    row: store.SeriesRow,
    why: { lastOn: string; lastAt?: Date; by: Side; cause: store.EndCause; reason?: string | null },
  ): Promise<string[]> {
    const from = dayText(dayNumber(why.lastOn) + 1)
    const intents = await release(tx, row, { from, after: why.lastAt, by: why.by })
    await store.changeSeries(tx, row.id, {
      last_on: why.lastOn < row.first_on ? dayText(dayNumber(row.first_on) - 1) : why.lastOn,
      end_cause: why.cause,
      end_reason: why.reason ?? null,
    })
    await priceStore.withdrawPrice(tx, row.id, why.lastOn)
    await outbox.note(tx, row.id, 'ending', { about: why.lastOn })
    await dates.announce(tx, row.id)
    return intents
  }

  /**
   * Cancels the unpaid dates of a series and of those in whose place it came, from a day of the rhythm on, and those that
   * begin after a time. Returns the payment intents to void.
   */
  async function release(
    tx: Tx,
    row: store.SeriesRow,
    { from, after, by }: { from?: string; after?: Date | undefined; by: Side },
  ): Promise<string[]> {
    const now = clock.now()
    const intents: string[] = []
    for (const session of await dates.liveOfLine(tx, row.id)) {
      if (session.state !== 'reserved' || session.starts_at <= now) continue
      const isBefore = from !== undefined && session.on_date < from
      if (isBefore && !(after && session.starts_at > after)) continue
      intents.push(...((await dates.cancelUnpaid(tx, session.id, { by, code: 'series_ended' })) ?? []))
    }
    const today = localOf(clocksOf(row.timezone), now).onDate
    await dateStore.releaseDates(tx, row.id, from && from > today ? from : today, { by, at: now })
    await releaseKept(tx, row)
    return intents
  }

  /** Frees the first hour of a proposal, which was kept until it is answered. */
  async function releaseKept(tx: Tx, row: store.SeriesRow): Promise<void> {
    if (!row.kept_reservation_id) return
    await availability.release(tx, row.kept_reservation_id)
    await store.changeSeries(tx, row.id, { kept_reservation_id: null })
  }

  /** Closes a series whose last day is over. Both were written to when the day was set. */
  async function closeAfterLast(tx: Tx, row: store.SeriesRow): Promise<void> {
    const by = row.end_cause === 'by_choice' ? 'practitioner' : 'system'
    await close(tx, row, { by, cause: row.end_cause ?? 'by_choice' })
    await dates.announce(tx, row.id)
  }

  /** Moves a series to its end. */
  async function close(
    tx: Tx,
    row: store.SeriesRow,
    { by, cause, reason }: { by: Side; cause: store.EndCause; reason?: string | null },
  ): Promise<void> {
    await store.changeState(
      tx,
      row.id,
      { from: row.state, to: 'ended', by },
      {
        ended_at: clock.now(),
        ended_by: by,
        end_cause: cause,
        ...(reason === undefined ? {} : { end_reason: reason }),
      },
    )
    if (row.agreed_at !== null) {
      await consents.withdraw(tx, { accountId: row.client_id, scope: 'series', subject: row.id })
    }
  }
}
