import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AnswerOf } from '#contract/endpoints.ts'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { previewQuery } from './therapist-profile.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

/** A practitioner's own profile as clients see it, beside what can be done about it. */
export function OwnProfile({
  aside,
  renderProfile,
}: {
  aside: ReactNode
  renderProfile(profile: AnswerOf<'GET /therapist/profile-preview'>): ReactNode
}) {
  const query = useQuery(previewQuery())
  const { data: profile, error } = query
  return (
    <div className="grid gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <aside className="flex flex-col gap-5 lg:col-start-2 lg:row-start-1">{aside}</aside>
      <div className="flex min-w-0 flex-col gap-10">
        {profile ? (
          renderProfile(profile)
        ) : error ? (
          <QueryError title="Your profile did not load" query={query} />
        ) : (
          <OwnProfileLoading />
        )}
      </div>
    </div>
  )
}

export function OwnProfileLoading() {
  return (
    <Loading label="Loading your profile" className="flex flex-col gap-5">
      <Skeleton className="size-44 rounded-t-full" />
      <Skeleton className="h-9 w-64" />
      <Skeleton className="h-40" />
    </Loading>
  )
}
