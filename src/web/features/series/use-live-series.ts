import { useReadOnNews } from '#web/lib/use-read-again.ts'
import { seriesRoot } from './series-queries.ts'

const seriesKeys = () => [seriesRoot()]
const news = ['series.changed', 'session.changed'] as const

/** Reads again when a session of the account changes elsewhere: paid by the sweep, skipped by the practitioner. */
export function useLiveSeries(): void {
  useReadOnNews(news, seriesKeys)
}
