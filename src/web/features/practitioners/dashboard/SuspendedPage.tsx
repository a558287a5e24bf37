import { useQuery } from '@tanstack/react-query'
import type { OwnSuspension } from '#contract/bookings/practitioner-sessions.ts'
import { pathOfStep } from '#contract/practitioners/profile-steps.ts'
import { formatDay, formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { stepTitles } from '../onboarding/wizard.ts'
import { suspensionQuery } from './dashboard-queries.ts'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Section } from '#web/ui/Section.tsx'

/** What a practitioner who is suspended or closed needs to know: why, what happens to their sessions, and whom to write to. */
export function SuspendedPage() {
  const query = useQuery(suspensionQuery())
  const { data, error } = query
  if (!data) {
    return error ? (
      <QueryError level={1} title="This page did not load" query={query} />
    ) : (
      <Loading label="Loading what happens next" className="page flex max-w-3xl flex-col gap-4 pt-10">
        <Skeleton className="h-10 w-72" />
        <Skeleton className="h-48 rounded-xl" />
      </Loading>
    )
  }
  if (!data.data) {
    return (
      <div className="page max-w-3xl pb-16">
        <PageHeading
          title="Your profile is not suspended"
          lead={
            data.documents_lapsed
              ? 'A document of yours has run out: clients cannot find you, and sessions stay on hold, until we have accepted the new one.'
              : 'Everything is open to you. Sessions that were not cancelled take place as booked.'
          }
        />
        <ButtonLink to="/therapist/dashboard">Go to your dashboard</ButtonLink>
      </div>
    )
  }
  return <Suspended suspension={data.data} />
}

function Suspended({ suspension }: { suspension: OwnSuspension }) {
  const { state, since, reason, cause, write_to: address } = suspension
  const isClosed = state === 'closed'
  return (
    <div className="page max-w-3xl pb-16">
      <PageHeading
        title={isClosed ? 'Your profile is closed' : 'Your profile is suspended'}
        lead={`Since ${formatDay(since, viewerZone())}. Here is what that means and what you can do.`}
      />
      <div className="flex flex-col gap-6">
        <Alert tone="warning" title="Why">
          <p className="whitespace-pre-line">{reason}</p>
        </Alert>
        <Section title="What happens now" size="2xl" isCard className="flex flex-col gap-4">
          <ul className="flex list-disc flex-col gap-3 ps-5">
            <li>
              {isClosed
                ? 'Clients can no longer find, book or message you. It will not be opened again, and nothing more is charged.'
                : 'Clients cannot find or book you, and the chat is closed. Please do not meet clients.'}
            </li>
            {sessionLabels(suspension).map((words) => (
              <li key={words}>{words}</li>
            ))}
            <li>
              What you have earned stays yours:{' '}
              <TextLink to="/therapist/money">your earnings and statements</TextLink>. What you paid us is
              under <TextLink to="/therapist/subscription">Subscription</TextLink>.
            </li>
          </ul>
        </Section>
        <Section title="What you can do" size="2xl" isCard className="flex flex-col gap-4">
          {cause === 'papers' && (
            <div>
              <p>Send us the documents we are waiting for. We look at them within a day or two.</p>
              <ul className="mt-1 flex flex-col">
                {papers.map((step) => (
                  <li key={step}>
                    <TextLink to={pathOfStep(step, { returnTo: 'suspended' })} className="tappable">
                      {stepTitles[step]}
                    </TextLink>
                  </li>
                ))}
              </ul>
            </div>
          )}
          <p>
            Write to us at <a href={`mailto:${address}`}>{address}</a> if you think that we are wrong, or can
            help to settle it. A person will read it and reply.
          </p>
          <p className="text-soft">
            <TextLink to="/therapist/account">Your account</TextLink> stays open to you.
          </p>
        </Section>
      </div>
    </div>
  )
}

/** The steps that a suspended practitioner can still save. */
const papers = ['identity', 'dbs', 'licences', 'insurance'] as const

function sessionLabels({ state, sessions }: OwnSuspension): string[] {
  const { frozen, cancelled, next_cancelled_at: next } = sessions
  const count = (number: number, one: string, many: string) => (number === 1 ? one : `${number} ${many}`)
  return [
    ...(frozen > 0 && next && state === 'suspended'
      ? [
          `${count(frozen, 'One session is waiting', 'sessions are waiting')} for our decision. ${frozen === 1 ? 'It is' : 'The first is'} cancelled on ${formatDayAndTime(next, viewerZone())} unless the suspension is lifted before that.`,
        ]
      : []),
    ...(cancelled > 0
      ? [
          `${count(cancelled, 'One session is', 'sessions are')} cancelled. Clients were told, without the reason, and get everything back.`,
        ]
      : []),
    ...(frozen + cancelled === 0 ? ['None of your sessions is affected.'] : []),
  ]
}
