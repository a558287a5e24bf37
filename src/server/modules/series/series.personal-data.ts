import { timeText } from '../../clock.ts'
import type { PersonalData } from '../../contributions/personal-data.ts'
import type { SeriesDependencies } from './series.deps.ts'
import type { SeriesService } from './series.service.ts'
import * as store from './series.store.ts'
import * as dateStore from './series-dates.store.ts'

type Dependencies = Pick<SeriesDependencies, 'clock' | 'practitioners' | 'outbox'> & { series: SeriesService }

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Weekly series of clients. Nothing of them stays: paid sessions are kept by bookings. */
export function seriesPersonalData({ clock, practitioners, outbox, series }: Dependencies): PersonalData {
  const { ending } = series
  return {
    tables: ['session_series', 'series_dates', 'series_price_changes'],
    namedBy: { session_series: 'client_id' },
    kept: [],

    async exported(db, { accountId }) {
      const rows = await store.listOfClient(db, accountId)
      const ids = rows.map(({ id }) => id)
      const dates = ids.length === 0 ? [] : await store.listAllDates(db, ids)
      const prices = ids.length === 0 ? [] : await store.listAllPriceChanges(db, ids)
      const cards = await practitioners.cards(
        db,
        rows.map((row) => row.practitioner_id),
      )
      return [
        {
          title: 'Your regular sessions',
          about: 'The hours that were kept for you, and what became of each date.',
          entries: rows.map((row) => ({
            practitioner: cards.get(row.practitioner_id)?.full_name ?? null,
            service: row.service_name,
            form: row.appointment_type === 'face_to_face' ? 'face to face' : 'online',
            weekday: weekdays[row.weekday - 1] ?? null,
            time: timeText(row.start_minute),
            time_zone: row.timezone,
            every_weeks: row.every_weeks,
            first_day: row.first_on,
            last_day: row.last_on,
            price: row.fee_pence / 100,
            state: row.state,
            proposed_by: row.proposed_by,
            agreed_at: row.agreed_at?.toISOString() ?? null,
            terms: row.terms_version,
            ended_at: row.ended_at?.toISOString() ?? null,
            ended_by: row.ended_by,
            reason_given: row.end_reason,
            dates: dates
              .filter((date) => date.series_id === row.id)
              .map((date) => `${date.on_date}: ${date.state}`)
              .join(', '),
            new_prices: prices
              .filter((price) => price.series_id === row.id)
              .map((price) => `${price.fee_pence / 100} from ${price.from_date}: ${price.answer ?? 'open'}`)
              .join(', '),
          })),
        },
      ]
    },

    async erase(tx, { accountId }) {
      for (const { id } of await store.listOfClient(tx, accountId)) {
        const row = await store.lockSeries(tx, id)
        if (!row) continue
        // One that goes on at another hour may have unpaid dates before that.
        const ahead = await dateStore.listLive(tx, id, clock.now())
        const isOff = row.state !== 'ended' || ahead.some(({ state }) => state === 'reserved')
        await ending.release(tx, row, { by: 'client' })
        if (row.agreed_at !== null && isOff) await outbox.noteFormerClient(tx, row)
      }
      await store.deleteSeriesOf(tx, accountId)
    },
  }
}
