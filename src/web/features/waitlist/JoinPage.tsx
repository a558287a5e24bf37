import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { WaitlistEntry } from '#contract/waitlist/waitlist.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { practitionerQuery } from '#web/lib/practitioner-query.ts'
import { profilePath } from '#web/lib/profile-path.ts'
import { formatIn, idIn } from '#web/lib/search-params.ts'
import { foundTherapistsPath } from '#web/lib/site.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { ownWaitlistPath } from '#web/lib/waitlist-path.ts'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ChoosingTime } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { HowItWorks } from './HowItWorks.tsx'
import { WaitlistForm } from './WaitlistForm.tsx'
import { placeLabel } from './waitlist-labels.ts'
import { ownWaitlistQuery } from './waitlist-queries.ts'

/** What became of the form, for the page that it leads to. */
export type Saved = { entryId: string; name: string; isNew: boolean; place: string | null }

/** Where a client joins a waitlist, or changes what they wait for. */
export function JoinPage({ search }: { search: URLSearchParams }) {
  const navigate = useLateNavigate()
  const entryId = search.get('entry')
  const wantedId = idIn(search.get('practitionerId'))
  const entries = useQuery(ownWaitlistQuery())
  // A client has one place with a practitioner: joining again is changing it.
  const entry = entries.data?.find(({ entry_id, practitioner }) =>
    entryId === null ? practitioner.practitioner_id === wantedId : entry_id === entryId,
  )
  const practitionerId = entry?.practitioner.practitioner_id ?? (entryId === null ? wantedId : undefined)
  const practitioner = useQuery({
    ...practitionerQuery(practitionerId ?? 0),
    enabled: practitionerId !== undefined,
  })

  if (!entries.data) {
    return entries.error ? (
      <QueryError level={1} title="The waitlist did not load" query={entries} />
    ) : (
      <JoinLoading />
    )
  }
  const isUnlisted = practitioner.error instanceof ApiError && practitioner.error.status === 404
  if (entry && isUnlisted) return <NotNow entry={entry} />
  if (practitionerId === undefined || isUnlisted) return <NotHere isEntry={entryId !== null} />
  if (!practitioner.data) {
    return practitioner.error ? (
      <QueryError level={1} title="The waitlist did not load" query={practitioner} />
    ) : (
      <JoinLoading />
    )
  }
  const { full_name: name, waitlist } = practitioner.data
  if (!entry && !waitlist.open) {
    return (
      <EmptyState
        level={1}
        title="This waitlist is closed"
        illustration={<ChoosingTime className="w-44" />}
        actions={<ButtonLink to={profilePath(practitionerId)}>Back to the profile</ButtonLink>}
      >
        <p>{name} is not taking new names at the moment. You can look at the profile for free times.</p>
      </EmptyState>
    )
  }
  const saved = (answer: WaitlistEntry): Saved => ({
    entryId: answer.entry_id,
    name,
    isNew: !entry,
    place: answer.place === null ? null : placeLabel(answer.place, answer.waiting),
  })
  return (
    <>
      <PageHeading
        title={entry ? 'Change what you wait for' : 'Join the waitlist'}
        lead={
          entry
            ? `With ${name}. Your place stays the same.`
            : `With ${name}. ${waitingWords(waitlist.waiting)} When a time comes free that suits you, we email you and hold it for you.`
        }
      />
      <Card as="section">
        <WaitlistForm
          practitioner={practitioner.data}
          entry={entry}
          first={{ type: formatIn(search.get('type')), serviceId: idIn(search.get('service')) }}
          onSaved={(answer) => navigate(ownWaitlistPath, { replace: true, state: { saved: saved(answer) } })}
          backTo={entry ? ownWaitlistPath : profilePath(practitionerId)}
        />
      </Card>
      <div className="mt-8">
        <HowItWorks isOpen={!entry} />
      </div>
    </>
  )
}

function waitingWords(waiting: number): string {
  if (waiting === 0) return 'You would be the first to wait.'
  return waiting === 1 ? 'One person is waiting.' : `${waiting} people are waiting.`
}

/** For a place with a practitioner who has no listing at present. */
function NotNow({ entry }: { entry: WaitlistEntry }) {
  return (
    <EmptyState
      level={1}
      title="Your place is kept"
      illustration={<ChoosingTime className="w-44" />}
      actions={<ButtonLink to={ownWaitlistPath}>Your waitlists</ButtonLink>}
    >
      <p>
        {entry.practitioner.full_name} is not taking sessions at the moment. You can change what you wait for
        once they are back.
      </p>
    </EmptyState>
  )
}

function NotHere({ isEntry }: { isEntry: boolean }): ReactNode {
  return (
    <EmptyState
      level={1}
      title={isEntry ? 'You are not on this waitlist any more' : 'Choose a practitioner first'}
      illustration={<ChoosingTime className="w-44" />}
      actions={
        isEntry ? (
          <ButtonLink to={ownWaitlistPath}>Your waitlists</ButtonLink>
        ) : (
          <ButtonLink to={foundTherapistsPath}>Find a Therapist</ButtonLink>
        )
      }
    >
      <p>
        {isEntry
          ? 'You may have left it, or booked a session. You can join again on the profile.'
          : 'This link does not say whose waitlist you would like to join, or they are not taking clients here any more.'}
      </p>
    </EmptyState>
  )
}

/** In the shape of the form. */
export function JoinLoading() {
  return (
    <>
      <PageHeading title="Waitlist" />
      <Loading label="Loading the waitlist">
        <Card className="flex flex-col gap-7">
          <Skeleton className="h-28" />
          <Skeleton className="h-12" />
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
          <Skeleton className="h-12 w-44 rounded-full" />
        </Card>
      </Loading>
    </>
  )
}
