import { useQuery } from '@tanstack/react-query'
import type { PractitionerWaitlist, WaitingClient } from '#contract/waitlist/waitlist.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatDay, viewerZone, zoneNote } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { formatWords } from '#web/lib/session-formats.ts'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { EmptyChair } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { wishedTimesLabel } from '../waitlist-labels.ts'
import { therapistWaitlistKey, therapistWaitlistQuery } from '../waitlist-queries.ts'

/** Who waits for the signed-in practitioner, and whether others may join them. */
export function WaitingClients() {
  const query = useQuery(therapistWaitlistQuery())
  const { data, error } = query
  if (!data) {
    return error ? <QueryError title="Your waitlist did not load" query={query} /> : <WaitingClientsLoading />
  }
  return (
    <div className="flex flex-col gap-6">
      <OpenSwitch waitlist={data} />
      {data.entries.length === 0 ? (
        <EmptyState title="Nobody is waiting" illustration={<EmptyChair className="w-40" />}>
          <p>
            {data.open
              ? 'Clients can join when you have no free times, or when none of them suits. When an hour comes free, we offer it to them by itself.'
              : 'Your waitlist is closed, so nobody can join.'}
          </p>
        </EmptyState>
      ) : (
        <section aria-labelledby="waiting-title" className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <h2 id="waiting-title" className="text-2xl">
              {data.waiting === 1 ? '1 client is waiting' : `${data.waiting} clients are waiting`}
            </h2>
            <ButtonLink to="/therapist/schedule" variant="secondary" size="small">
              Offer an hour in your week
            </ButtonLink>
          </div>
          <ol className="flex flex-col divide-y divide-line rounded-xl border border-line bg-surface shadow-low">
            {data.entries.map((entry) => (
              <Waiting key={entry.entry_id} entry={entry} />
            ))}
          </ol>
          <p className="text-sm text-soft">
            The longest waiting is at the top. When an hour comes free, we ask them in this order, by email,
            and hold it while they decide. You see names once a session is booked.
          </p>
        </section>
      )}
    </div>
  )
}

function OpenSwitch({ waitlist }: { waitlist: PractitionerWaitlist }) {
  const turn = useAction('PUT /therapist/booking-rules', {
    invalidates: [therapistWaitlistKey(), ['schedule']],
  })
  const isOpen = turn.isPending ? turn.input?.[0].body.waitlist === 'open' : waitlist.open
  return (
    <Card className="flex flex-col gap-3">
      <Switch
        isOn={isOpen}
        aria-disabled={turn.isPending}
        onChange={(event) =>
          turn.start({ body: { waitlist: event.currentTarget.checked ? 'open' : 'closed' } })
        }
        description="Those who wait already stay on it when you close it, and still get hours that come free."
      >
        Clients can join my waitlist
      </Switch>
      <ErrorAlert title="That was not changed" error={turn.error} />
    </Card>
  )
}

const stateLabels = { waiting: undefined, offered: 'Has an offer', paused: 'Paused' }

function Waiting({ entry }: { entry: WaitingClient }) {
  const zone = viewerZone()
  const state = stateLabels[entry.state]
  const clock = zoneNote(serverNow(), entry.timezone, zone)
  return (
    <li className="flex flex-col gap-1 px-5 py-4">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4">
        <strong className="font-semibold">{entry.initials}</strong>
        {state && (
          <span className="rounded-full border border-transparent bg-action-soft px-3 py-0.5 text-xs text-on-action-soft">
            {state}
          </span>
        )}
      </span>
      <span>{wishedTimesLabel(entry, serverNow())}</span>
      {clock && <span className="text-sm text-soft">Times in {clock}</span>}
      <span className="text-sm text-soft">
        {entry.service_name}, {formatWords[entry.appointment_type]}. Since{' '}
        {formatDay(entry.since, zone, serverNow())}
      </span>
    </li>
  )
}

export function WaitingClientsLoading() {
  return (
    <Loading label="Loading your waitlist" className="flex flex-col gap-6">
      <Skeleton className="h-28 rounded-xl" />
      <Skeleton className="h-64 rounded-xl" />
    </Loading>
  )
}
