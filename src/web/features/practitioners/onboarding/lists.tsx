import { useQueries, useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { AnswerOf } from '#contract/endpoints.ts'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { type ListKey, listQuery } from './therapist-profile.ts'

type StepProps = { profile: TherapistProfile }

/** The form of a step, shown once the lists that it chooses from are there. */
export function withLists(keys: readonly ListKey[], Form: ComponentType<StepProps>) {
  return function FormWithLists(props: StepProps) {
    const lists = useQueries({ queries: keys.map((key) => listQuery(key)) })
    const failed = lists.find((list) => list.error && !list.data)
    if (failed) {
      return (
        <ErrorState
          title="The list did not load"
          onRetry={() => lists.forEach((list) => list.error && void list.refetch())}
          isRetrying={lists.some((list) => list.isFetching)}
          error={failed.error}
        />
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
    return <Form {...props} />
  }
}

/** A list of a form `withLists`. */
export function useList<K extends ListKey>(key: K): AnswerOf<K> {
  const { data } = useQuery(listQuery(key))
  if (!data) throw new Error(`${key} belongs into a form withLists.`)
  return data
}
