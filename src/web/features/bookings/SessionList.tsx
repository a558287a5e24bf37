import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { formatPounds } from '#web/lib/money.ts'
import { clientInstants } from '#web/lib/session-instants.ts'
import { foundTherapistsPath } from '#web/lib/site.ts'
import { useReadAt, useReadOnNews } from '#web/lib/use-read-again.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { EmptyChair } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { bankReturnsLabel } from './bank-returns.ts'
import { listedKeys, listedNews, upcomingQuery } from './booking-queries.ts'
import { CancelledByUs } from './CancelledByUs.tsx'
import { SessionCard, SessionCardLoading } from './SessionCard.tsx'
import { lateDialog } from '#web/ui/Dialog.tsx'
import { LiveRegion } from '#web/ui/LiveRegion.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'

const CancelSession = lateDialog(() => import('./CancelSession.tsx'))

type Props = {
  /** Whether a session that is not paid yet stands on the card of its series. */
  isOnCard(session: AppointmentDetail): boolean
  /** The side modal in which a session is moved. */
  renderEdit(session: AppointmentDetail, onClose: () => void): ReactNode
}

/** The sessions that have not ended, with moving and cancelling. */
export function SessionList({ isOnCard, renderEdit }: Props) {
  const query = useQuery(upcomingQuery())
  const { data, error } = query
  useReadOnNews(listedNews, listedKeys)
  useReadAt(data?.flatMap(clientInstants) ?? [], listedKeys)
  // Kept whole: a window stays open, and says what became of it, when its session leaves the list meanwhile.
  const [edited, setEdited] = useState<AppointmentDetail>()
  const [toCancel, setToCancel] = useState<AppointmentDetail>()
  const [cancelled, setCancelled] = useState<AppointmentDetail>()

  const latest = (kept: AppointmentDetail) =>
    data?.find((session) => session.appointment_id === kept.appointment_id) ?? kept
  return (
    <div className="flex flex-col gap-5">
      <LiveRegion focusOn={cancelled} className="max-w-3xl">
        {cancelled && (
          <Alert tone="success" title="Your session is cancelled">
            {cancelled.status === 'reserved'
              ? 'Nothing was charged.'
              : (bankReturnsLabel(cancelled) ??
                `${formatPounds(cancelled.fee)} for ${cancelled.practitioner.full_name} is on its way back to the card you paid with. It may take a few days to show.`)}
          </Alert>
        )}
      </LiveRegion>
      <CancelledByUs />
      {data ? (
        <Sessions sessions={data} isOnCard={isOnCard} onEdit={setEdited} onCancel={setToCancel} />
      ) : error ? (
        <QueryError title="Your sessions did not load" query={query} />
      ) : (
        <SessionListLoading />
      )}
      {toCancel && (
        <CancelSession
          session={latest(toCancel)}
          onClose={() => setToCancel(undefined)}
          onCancelled={setCancelled}
        />
      )}
      {edited && renderEdit(latest(edited), () => setEdited(undefined))}
    </div>
  )
}

function Sessions({
  sessions,
  isOnCard,
  onEdit,
  onCancel,
}: Pick<Props, 'isOnCard'> & {
  sessions: readonly AppointmentDetail[]
  onEdit(session: AppointmentDetail): void
  onCancel(session: AppointmentDetail): void
}) {
  const listed = sessions.filter((session) => session.status !== 'reserved' || !isOnCard(session))
  if (listed.length === 0 && sessions.length > 0) {
    return <p className="text-soft">No session is paid for yet. Sessions appear here once they are.</p>
  }
  if (sessions.length === 0) {
    return (
      <EmptyState
        title="Sorry, but you don't have any sessions to show."
        illustration={<EmptyChair className="w-40" />}
        actions={<ButtonLink to={foundTherapistsPath}>Find a Therapist</ButtonLink>}
      >
        <p>Sessions you book appear here, with the time, the link and a way to move or cancel them.</p>
      </EmptyState>
    )
  }
  return (
    <ul className="flex max-w-3xl flex-col gap-5">
      {listed.map((session) => (
        <SessionCard
          key={session.appointment_id}
          session={session}
          onEdit={() => onEdit(session)}
          onCancel={() => onCancel(session)}
        />
      ))}
    </ul>
  )
}

export function SessionListLoading() {
  return (
    <Loading label="Loading your sessions" className="flex max-w-3xl flex-col gap-5">
      <SessionCardLoading />
      <SessionCardLoading />
    </Loading>
  )
}
