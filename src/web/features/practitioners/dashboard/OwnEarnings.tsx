import { useQuery } from '@tanstack/react-query'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { earningsQuery } from './dashboard-queries.ts'
import { EarningsChart } from './EarningsChart.tsx'

/** The caller's earnings of the last twelve months. */
export function OwnEarnings() {
  const query = useQuery(earningsQuery())
  if (query.data) return <EarningsChart {...query.data} />
  return query.error ? (
    <QueryError title="Your earnings did not load" query={query} />
  ) : (
    <Loading label="Loading your earnings" skeleton="h-72 rounded-xl" />
  )
}
