import type { BodyOf } from '#contract/endpoints.ts'
import type { Series } from '#contract/series/series.ts'
import { dayNumber, dayText } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fail, invalidField, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { clocksOf } from '../availability/availability.service.ts'
import type { SeriesDependencies } from './series.deps.ts'
import { planOf, type SeriesDates } from './series.dates.ts'
import { chosenMeanwhile, movedMeanwhile, notChangeable, notOpen } from './series.refusals.ts'
import { datesFrom, feeOn, isOfRhythm, localOf, reaches, reservedUntil } from './series.rules.ts'
import * as store from './series.store.ts'
import * as dateStore from './series-dates.store.ts'
import * as priceStore from './series-prices.store.ts'

type Dependencies = Pick<SeriesDependencies, 'db' | 'clock' | 'payments' | 'checkpoint'> & {
  dates: SeriesDates
  lockOwn: (tx: Tx, caller: SignedIn, id: string) => Promise<store.SeriesRow>
  lockToBook: (tx: Tx, caller: SignedIn, id: string) => Promise<store.SeriesRow>
  present: (caller: SignedIn, id: string) => Promise<{ data: Series }>
}

/** The longest absence that is skipped at once. Days. */
const longestAway = 366

/** What a client does to the dates of a series: skipping, taking up again and choosing another time. */
export function createClientDates({
  db,
  clock,
  payments,
  checkpoint,
  dates,
  lockOwn,
  lockToBook,
  present,
}: Dependencies) {
  return {
    /**
     * Skips one date. Repeating it changes nothing.
     * @param shown when it begins, by what the client has seen
     * @throws 404; 409 `too_late_to_change` once it is paid, `changed_elsewhere`
     */
    async skip(
      caller: SignedIn,
      id: string,
      onDate: string,
      shown: string | undefined,
    ): Promise<{ data: Series }> {
      const intents = await inTransaction(db, async (tx) => {
        const row = await lockOwn(tx, caller, id)
        return skipDate(tx, row, onDate, shown)
      })
      await checkpoint('date skipped')
      await payments.finishSoon({ intents })
      return present(caller, id)
    },

    /**
     * Takes a skipped date up again. Repeating it changes nothing.
     * @throws 404; 409 `series_conflict`, `series_over`, `not_changeable`, `changed_elsewhere` once it has another time
     */
    async restore(caller: SignedIn, id: string, onDate: string): Promise<{ data: Series }> {
      await inTransaction(db, async (tx) => {
        const row = await lockToBook(tx, caller, id)
        requireActive(row)
        const plan = planOf(row)
        const date = await dateStore.findDate(tx, id, onDate)
        if (date?.state === 'planned') return
        if (date?.state === 'moved') throw chosenMeanwhile()
        if (date && !reaches(row, onDate)) throw notRestorable()
        const startsAt = dates.startOf(plan, onDate)
        if (!date || date.state !== 'skipped' || date.changed_by !== 'client' || startsAt <= clock.now()) {
          if (!date && isOfRhythm(plan, onDate)) return
          throw date ? notRestorable() : notFound('This date')
        }
        if (startsAt > reservedUntil(clock.now())) await dateStore.deleteDate(tx, id, onDate)
        else {
          const feePence = await feeOf(tx, row, onDate)
          await dates.reserveOwn(tx, row, feePence, { onDate, startsAt, by: 'client' })
        }
        await dates.announce(tx, id)
      })
      return present(caller, id)
    },

    /** Chooses another time for a date in conflict. @throws 404; 422 `starts_at`; 409 `series_conflict`, `series_over` */
    async move(caller: SignedIn, id: string, onDate: string, startsAt: string): Promise<{ data: Series }> {
      await inTransaction(db, async (tx) => {
        const row = await lockToBook(tx, caller, id)
        requireActive(row)
        const plan = planOf(row)
        const date = await dateStore.findDate(tx, id, onDate)
        if (!date) throw notFound('This date')
        const wanted = dates.movedTo(startsAt, dates.startOf(plan, onDate))
        if (date.state === 'moved' && date.starts_at?.getTime() === wanted.getTime()) return
        if (!reaches(row, onDate)) throw notChangeable()
        if (date.state !== 'conflict') {
          throw fail('not_changeable', 'This date has a session. Move the session in My Sessions.')
        }
        const feePence = await feeOf(tx, row, onDate)
        await dates.reserveOwn(tx, row, feePence, { onDate, startsAt: wanted, by: 'client' })
        await dates.announce(tx, id)
      })
      return present(caller, id)
    },

    /**
     * Skips every date in a range of days that is not paid. A session counts for the day on which it takes place, on the
     * clocks of `timezone`; without one on those of the series.
     * @throws 404; 422 `to`; 409 `series_over`
     */
    async away(
      caller: SignedIn,
      id: string,
      { from, to, timezone }: BodyOf<'POST /series/{series_id}/away'>,
    ): Promise<{ data: Series; skipped: string[]; refused: { on_date: string; message: string }[] }> {
      if (to < from) throw invalidField('to', 'The last day is before the first.')
      if (dayNumber(to) - dayNumber(from) > longestAway) {
        throw invalidField('to', 'Choose at most a year. To stop for longer, end your regular sessions.')
      }
      const skipped: string[] = []
      const refused: { on_date: string; message: string }[] = []
      const intents = await inTransaction(db, async (tx) => {
        skipped.length = 0
        refused.length = 0
        const own = await lockOwn(tx, caller, id)
        requireActive(own)
        const begun: string[] = []
        for (const each of await store.listLine(tx, id)) {
          const row = each === id ? own : await store.findSeries(tx, each)
          if (!row) continue
          const plan = planOf(row)
          for (const onDate of await datesWithin(tx, row, { from, to, timezone })) {
            const date = await dateStore.findDate(tx, row.id, onDate)
            const startsAt = date?.starts_at ?? dates.startOf(plan, onDate)
            if (startsAt <= clock.now() || date?.state === 'released') continue
            if (date?.session_state === 'confirmed' || date?.is_paying) {
              refused.push({
                on_date: onDate,
                message: 'This session is paid already. You can cancel it by itself in My Sessions.',
              })
              continue
            }
            if (date?.state !== 'skipped') begun.push(...(await skipDate(tx, row, onDate)))
            skipped.push(onDate)
          }
        }
        return begun
      })
      await checkpoint('dates skipped')
      await payments.finishSoon({ intents })
      return { ...(await present(caller, id)), skipped: skipped.toSorted(), refused }
    },

    feeOf,
  }

  /**
   * The dates of a series that lie in a range of days: those with a session by when it begins, others by the rhythm. One
   * that has ended has no others.
   */
  async function datesWithin(
    tx: Tx,
    row: store.SeriesRow,
    { from, to, timezone = row.timezone }: BodyOf<'POST /series/{series_id}/away'>,
  ): Promise<string[]> {
    const plan = planOf(row)
    const clocks = clocksOf(timezone)
    const isWithin = (startsAt: Date) => {
      const day = localOf(clocks, startsAt).onDate
      return from <= day && day <= to
    }
    const live = await dateStore.listLive(tx, row.id, clock.now())
    const booked = new Set(live.map(({ on_date }) => on_date))
    const within = live.filter(({ on_date, starts_at }) => isWithin(starts_at) && isOfRhythm(plan, on_date))
    // The days of two zones are up to two apart.
    const near = { from: dayText(dayNumber(from) - 2), until: dayText(dayNumber(to) + 2) }
    const others = datesFrom(plan, near.from, near).filter(
      (onDate) => !booked.has(onDate) && isWithin(dates.startOf(plan, onDate)),
    )
    const rest = row.state === 'ended' ? [] : others
    return [...within.map(({ on_date }) => on_date), ...rest].toSorted()
  }

  /** Skips a date. Returns the payment intents to void. @throws 404; 409 */
  async function skipDate(tx: Tx, row: store.SeriesRow, onDate: string, shown?: string): Promise<string[]> {
    const plan = planOf(row)
    if (!isOfRhythm(plan, onDate)) throw notFound('This date')
    const now = clock.now()
    const date = await dateStore.findDate(tx, row.id, onDate)
    if (date?.state === 'skipped') return []
    if (date?.session_state === 'confirmed') throw isPaid()
    if (date?.session_state && shown && date.starts_at?.getTime() !== Date.parse(shown))
      throw movedMeanwhile()
    if (date?.session_state === 'reserved' && date.appointment_id) {
      if (date.starts_at && date.starts_at <= now) throw isPaid()
      const intents = await dates.cancelUnpaid(tx, date.appointment_id, { by: 'client' })
      if (!intents) throw isPaid()
      return intents
    }
    requireActive(row)
    if (date?.state === 'released') throw notChangeable()
    if (dates.startOf(plan, onDate) <= now) throw notChangeable()
    await dateStore.saveDate(tx, row.id, onDate, { state: 'skipped', by: 'client', at: now })
    await dates.announce(tx, row.id)
    return []
  }

  async function feeOf(tx: Tx, row: store.SeriesRow, onDate: string): Promise<number> {
    const [price] = await priceStore.listPriceChanges(tx, [row.id])
    return feeOn(row, price, onDate)
  }
}

function requireActive(row: store.SeriesRow): void {
  if (row.state !== 'active') throw notOpen(row)
}

const notRestorable = () =>
  fail('not_changeable', 'This date cannot be taken up again. You can book the hour by itself if it is free.')
const isPaid = () =>
  fail('too_late_to_change', 'This session is paid already. You can cancel it by itself in My Sessions.')
