import { useQuery } from '@tanstack/react-query'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { overviewQuery } from './dashboard-queries.ts'
import { EarningsChart } from './EarningsChart.tsx'

/** The caller's earnings of the last twelve months. */
export function OwnEarnings() {
  const query = useQuery(overviewQuery())
  if (query.data) return <EarningsChart months={query.data.earnings} owed={query.data.owed} />
  return query.error ? (
    <QueryError title="Your earnings did not load" query={query} />
  ) : (
    <Loading label="Loading your earnings">
      <Skeleton className="h-72 rounded-xl" />
    </Loading>
  )
}
