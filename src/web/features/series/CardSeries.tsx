import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Card } from '#contract/payments.ts'
import type { Series } from '#contract/series/series.ts'
import { rhythmLabel } from '#web/lib/rhythm-label.ts'
import { viewerZone } from '#web/lib/time.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { ownSeriesQuery } from './series-queries.ts'

const mySessions = <TextLink to="/my-sessions">My Sessions</TextLink>

const longestMs = 3000

/**
 * Reads the client's series that a card pays. Returns what becomes of them without it; null if it pays none. If it is
 * not known in time, it returns what holds in any case, so that the question about the card need not change while it is open.
 */
export async function usesOfCard(client: QueryClient, card: Card): Promise<ReactNode> {
  // Another card may have been chosen on another device.
  const reading = client.fetchQuery({ ...ownSeriesQuery(), staleTime: 0 }).catch(() => undefined)
  const all = await Promise.race([reading, new Promise<void>((resolve) => setTimeout(resolve, longestMs))])
  if (!all) return <CardSeriesUnknown />
  const paid = all.data.filter((series) => !series.ended && series.card?.customer_id === card.customer_id)
  return paid.length === 0 ? null : <CardSeries paid={paid} />
}

function CardSeries({ paid }: { paid: readonly Series[] }) {
  const [words, them] = paid.length === 1 ? ['regular session', 'it'] : ['regular sessions', 'them']
  return (
    <Alert tone="warning" title={`It pays for your ${words}`}>
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
