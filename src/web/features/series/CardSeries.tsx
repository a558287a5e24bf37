import { useQuery } from '@tanstack/react-query'
import type { Card } from '#contract/payments.ts'
import { rhythmLabel } from '#web/lib/rhythm-label.ts'
import { viewerZone } from '#web/lib/time.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { ownSeriesQuery } from './series-queries.ts'

const mySessions = <TextLink to="/my-sessions">My Sessions</TextLink>

/** The client's series that a card pays, and what becomes of them without it. Renders nothing if it pays none. */
export default function CardSeries({ card }: { card: Card }) {
  // Another card may have been chosen on another device.
  const { data: all, isFetching } = useQuery({ ...ownSeriesQuery(), staleTime: 0 })
  if (!all || isFetching) return <CardSeriesUnknown />
  const paid = all.data.filter((series) => !series.ended && series.card?.customer_id === card.customer_id)
  if (paid.length === 0) return null
  const [words, them] = paid.length === 1 ? ['regular session', 'it'] : ['regular sessions', 'them']
  return (
    <Alert tone="warning" live="polite" title={`It pays for your ${words}`}>
      <ul>
        {paid.map(({ series_id, rhythm, practitioner, dates, first_on }) => (
          <li key={series_id}>
            {rhythmLabel(rhythm, viewerZone(), dates[0]?.starts_at ?? `${first_on}T12:00:00Z`)} with{' '}
            {practitioner.full_name}
          </li>
        ))}
      </ul>
      <p>
        Choose another card for {them} in {mySessions}. Without one, dates that are not paid a day before are
        cancelled.
      </p>
    </Alert>
  )
}

/** While it is not known what the card pays. */
function CardSeriesUnknown() {
  return (
    <p>
      If it pays for a regular session, choose another card in {mySessions}. Without one, dates that are not
      paid a day before are cancelled.
    </p>
  )
}
