import { useState } from 'react'
import type { FailedQuery } from './QueryError.tsx'

/**
 * A query that failed and has no data, with its error also while it is asked again; undefined otherwise. For a part that shows
 * nothing while it loads: without the kept error its alert would go at "Try again", and nothing would show that it loads.
 */
export function useFailed(query: FailedQuery & { data: unknown }): FailedQuery | undefined {
  const [kept, setKept] = useState<unknown>(null)
  const error = query.data === undefined ? (query.error ?? kept) : null
  if (error !== kept) setKept(error)
  return error ? { error, isFetching: query.isFetching, refetch: query.refetch } : undefined
}
