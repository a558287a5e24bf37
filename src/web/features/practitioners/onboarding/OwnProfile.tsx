import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AnswerOf } from '#contract/endpoints.ts'
import { serverNow } from '#web/lib/clock.ts'
import { useViewerZone } from '#web/lib/viewer-zone.ts'
import { classes } from '#web/ui/classes.ts'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { ProfileFacts, ProfileIntroduction } from '../ProfileFacts.tsx'
import { ProfileHeader } from '../ProfileHeader.tsx'
import { previewQuery } from './therapist-profile.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

type Preview = AnswerOf<'GET /therapist/profile-preview'>

/**
 * What a draft has no facts for: parts without any, the years of practice, which are entered with the professions above
 * them, and the price. In styles, since a listed profile has them all and its page is kept small.
 */
const hidesOfDraft = ({ max_fee }: Preview) =>
  classes(
    '[&_section:has(>:is(div,dl):empty)]:hidden [&_p:empty+p]:hidden',
    max_fee === 0 && '[&_header_p:has(>.tabular-nums)]:hidden',
  )

/** A practitioner's own profile as clients see it, beside what can be done about it. */
export function OwnProfile({ aside, below }: { aside: ReactNode; below?: ReactNode }) {
  const zone = useViewerZone()
  const now = serverNow()
  const query = useQuery(previewQuery())
  const { data: profile, error } = query
  return (
    <div className="grid grid-cols-1 gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <aside className="flex flex-col gap-5 lg:col-start-2 lg:row-start-1">{aside}</aside>
      <div className={classes('flex min-w-0 flex-col gap-10', profile && hidesOfDraft(profile))}>
        {profile ? (
          <>
            <ProfileHeader profile={profile} zone={zone} now={now} level={2} />
            <ProfileIntroduction profile={profile} />
            <ProfileFacts profile={profile} now={now} />
            {below}
          </>
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
