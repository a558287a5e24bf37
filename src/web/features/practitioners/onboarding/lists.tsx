import { useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AnswerOf } from '#contract/endpoints.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { type ListKey, listQuery } from './therapist-profile.ts'

/** Shows a form once the lists that it chooses from are there. */
export function WithLists({ keys, children }: { keys: readonly ListKey[]; children: ReactNode }) {
  const lists = useQueries({ queries: keys.map((key) => listQuery(key)) })
  const failed = lists.find((list) => list.error && !list.data)
  if (failed) {
    return (
      <ErrorState
        title="The list did not load"
        onRetry={() => lists.forEach((list) => list.error && void list.refetch())}
        isRetrying={lists.some((list) => list.isFetching)}
      >
        <p>{messageOf(failed.error)}</p>
      </ErrorState>
    )
  }
  if (lists.some((list) => !list.data)) {
    return (
      <Loading label="Loading the list" className="flex flex-col gap-4">
        <Skeleton className="h-14" />
        <Skeleton className="h-14" />
        <Skeleton className="h-14" />
      </Loading>
    )
  }
  return children
}

/** A list within `WithLists`. */
export function useList<K extends ListKey>(key: K): AnswerOf<K> {
  const { data } = useQuery(listQuery(key))
  if (!data) throw new Error(`${key} belongs into WithLists.`)
  return data
}
