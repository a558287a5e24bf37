import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SessionInTimeOff } from '#contract/series/therapist-series.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { formatPounds } from '#web/lib/money.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { everything, inTimeOffQuery, type WantedOff } from '../series-queries.ts'

/** The sessions of series in days that are wanted off, for the form that takes them; it gets those that are shown. */
export function SessionsInTimeOff({
  wanted,
  children,
}: {
  wanted: WantedOff | undefined
  children(sessions: readonly SessionInTimeOff[]): ReactNode
}) {
  const query = useQuery({
    ...inTimeOffQuery(wanted ?? { first_day: '', last_day: null, from_time: null, to_time: null }),
    enabled: wanted !== undefined,
  })
  const sessions = wanted ? (query.data?.data ?? []) : []
  return (
    <>
      <div aria-live="polite" className="empty:sr-only">
        {sessions.length > 0 && (
          <div className="rounded-lg bg-warning-soft p-4">
            <p className="font-semibold">
              {sessions.length === 1
                ? 'A regular client’s session falls within it'
                : `${sessions.length} sessions of regular clients fall within it`}
            </p>
            <SessionLines sessions={sessions} />
          </div>
        )}
        {wanted && query.error && !isWrongPeriod(query.error) && (
          <QueryErrorAlert title="We could not look for regular sessions in it" query={query} />
        )}
      </div>
      {children(sessions)}
    </>
  )
}

/** The form says itself what is wrong with the period, once it is sent. */
const isWrongPeriod = (error: unknown) => error instanceof ApiError && error.code === 'validation_failed'

/** Shows its children only where a session of a series falls within time off, or where that could not be found out. */
export function IfRegularInTimeOff({ wanted, children }: { wanted: WantedOff; children: ReactNode }) {
  const { data, error } = useQuery(inTimeOffQuery(wanted))
  return (data ? data.data.length > 0 : error !== null) && children
}

/** How many sessions are skipped, and how many are left since they are not as they were shown. */
type Skipped = { count: number; left: number }

/** Skips the shown sessions of series within time off, of the caller that has it. Returns how many are skipped and left. */
export function useSkipInTimeOff(): (
  timeOffId: number,
  shown: readonly SessionInTimeOff[],
) => Promise<Skipped> {
  const skip = useAction('POST /therapist/time-off/{id}/skip-series', { invalidates: everything })
  return async (id, shown) => {
    const only = shown.map(({ appointment_id, starts_at }) => ({ appointment_id, starts_at }))
    const { data, left = [] } = await skip.send({ params: { id }, body: { only } })
    return { count: data.length, left: left.length }
  }
}

type DialogProps = {
  timeOffId: number
  wanted: WantedOff
  onClose(): void
  onSkipped(skipped: Skipped): void
}

/** Asks before the sessions of series within time off are skipped: whose they are, and what goes back. */
export function SkipInTimeOff({ timeOffId, wanted, onClose, onSkipped }: DialogProps) {
  const query = useQuery(inTimeOffQuery(wanted))
  const skip = useSkipInTimeOff()
  const sessions = query.data?.data ?? []
  const isEmpty = query.data !== undefined && sessions.length === 0
  return (
    <ActionDialog
      onClose={onClose}
      title={isEmpty ? 'Nothing to skip' : 'Skip the regular sessions in it?'}
      confirmLabel={sessions.length > 0 ? 'Skip them' : undefined}
      cancelLabel={isEmpty ? 'Close' : 'Keep them'}
      isDangerous
      failureTitle="They are not skipped"
      onConfirm={async () => onSkipped(await skip(timeOffId, sessions))}
    >
      {query.data ? (
        sessions.length > 0 ? (
          <>
            <SessionLines sessions={sessions} />
            <p>We tell each client straight away. Sessions that are paid are refunded in full.</p>
          </>
        ) : (
          <p>No regular session falls within it. Single sessions stay booked until you cancel them.</p>
        )
      ) : query.error ? (
        <QueryErrorAlert title="The sessions did not load" query={query} />
      ) : (
        <Loading label="Loading the sessions" skeleton="h-20" />
      )}
    </ActionDialog>
  )
}

function SessionLines({ sessions }: { sessions: readonly SessionInTimeOff[] }) {
  const zone = viewerZone()
  return (
    <ul className="mt-1 flex flex-col gap-1">
      {sessions.map((session) => (
        <li key={session.appointment_id} className="text-sm">
          {`${formatDayAndTime(session.starts_at, zone)}, ${session.client_name}: `}
          {session.paid ? `paid, ${formatPounds(session.price ?? session.fee)} goes back` : 'not paid yet'}
        </li>
      ))}
    </ul>
  )
}
