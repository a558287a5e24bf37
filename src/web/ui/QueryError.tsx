import { ErrorState } from './ErrorState.tsx'

export type FailedQuery = { error: unknown; isFetching: boolean; refetch(): unknown }

type Props = { query: FailedQuery; title: string; level?: 1 | 2 | 3 }

/** A query failed and there is nothing to show: what did not load, why, and a button that asks again. */
export function QueryError({ query, title, level }: Props) {
  return (
    <ErrorState
      title={title}
      level={level}
      error={query.error}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
    />
  )
}
