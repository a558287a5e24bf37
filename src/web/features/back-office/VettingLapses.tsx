import { useQuery } from '@tanstack/react-query'
import type { VettingLapse } from '#contract/back-office/back-office.ts'
import { serverNow } from '#web/lib/clock.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { lapsesQuery } from './admin-queries.ts'
import { formatInstant, lastDayBefore } from './admin-labels.ts'
import { TaskAlert } from './TaskAlert.tsx'

/** Vetted facts that lapse while sessions are booked for later. Renders nothing if there are none. */
export function VettingLapses() {
  const query = useQuery(lapsesQuery())
  return (
    <TaskAlert
      query={query}
      one="Sessions are booked after a document lapses"
      many="practitioners have sessions after a document lapses"
      failure="Documents that lapse did not load"
      label="Documents that lapse"
      renderTask={(lapse) => <Lapse key={lapse.practitioner_id} lapse={lapse} />}
    >
      <p>
        Ask for a newer document where none waits. When it lapses these sessions are frozen; each is cancelled
        and refunded 72 hours later, or two hours before its start if that is sooner.
      </p>
    </TaskAlert>
  )
}

function Lapse({ lapse }: { lapse: VettingLapse }) {
  const { facts, sessions, frozen, lapses_at: at, next_cancelled_at: next } = lapse
  const hasLapsed = Date.parse(at) <= serverNow()
  const names = facts.map(({ name }) => name).join(', ')
  return (
    <li className="flex flex-col gap-1 py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-base font-semibold">
        <TextLink to={`/admin/practitioner?id=${lapse.practitioner_id}`} className="min-w-0 break-words">
          {lapse.full_name}
        </TextLink>
        <span>{sessions === 1 ? '1 session' : `${sessions} sessions`}</span>
      </p>
      <p className="break-words first-letter:uppercase">
        {names}: {hasLapsed ? 'held' : 'holds'} until {lastDayBefore(at)}
        {lapse.is_waiting && '. A newer document waits for your decision'}.
      </p>
      {frozen > 0 && next && (
        <p>
          {frozen === 1 ? 'One is frozen' : `${frozen} are frozen`}: cancelled from {formatInstant(next)} on.
        </p>
      )}
    </li>
  )
}
