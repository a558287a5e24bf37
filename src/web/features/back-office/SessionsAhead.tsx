import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SessionAhead } from '#contract/back-office/back-office.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { formatPounds } from '#web/lib/money.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { aheadQuery } from './admin-queries.ts'
import { aheadLabel, formatInstant, seriesLabel } from './admin-labels.ts'
import { ReasonDialog } from './ReasonDialog.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Section } from '#web/ui/Section.tsx'

/** The sessions that a practitioner has ahead, each to be cancelled by itself. */
export function SessionsAhead({ practitionerId }: { practitionerId: number }) {
  const query = useQuery(aheadQuery(practitionerId))
  const { data, error } = query
  const [toCancel, setToCancel] = useState<SessionAhead>()
  return (
    <Section title="Sessions ahead" size="2xl" isCard className="flex flex-col gap-4">
      {data ? (
        data.total === 0 ? (
          <p className="text-soft">None.</p>
        ) : (
          <ul className="flex flex-col divide-y divide-line">
            {data.sessions.map((session) => (
              <li
                key={session.appointment_id}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2"
              >
                <span>
                  {aheadLabel(session)}
                  {session.series && (
                    <span className="block text-sm text-soft">
                      {seriesLabel(session.series, session.starts_at)}
                    </span>
                  )}
                  {session.frozen_until && (
                    <span className="block text-sm text-soft">
                      Frozen: cancelled on {formatInstant(session.frozen_until)} unless it is restored
                    </span>
                  )}
                </span>
                <Button
                  variant="secondary"
                  onPress={() => setToCancel(session)}
                  aria-label={`Cancel the session with ${session.client_name}, ${formatInstant(session.starts_at)}`}
                >
                  Cancel
                </Button>
              </li>
            ))}
            {data.total > data.sessions.length && (
              <li className="py-2 text-soft">and {data.total - data.sessions.length} more</li>
            )}
          </ul>
        )
      ) : error ? (
        <QueryError title="The sessions did not load" query={query} />
      ) : (
        <Loading label="Loading the sessions" skeleton="h-16" />
      )}
      {toCancel && (
        <CancelDialog
          session={toCancel}
          practitionerId={practitionerId}
          onClose={() => setToCancel(undefined)}
        />
      )}
    </Section>
  )
}

function CancelDialog({
  session,
  practitionerId,
  onClose,
}: {
  session: SessionAhead
  practitionerId: number
  onClose(): void
}) {
  const cancel = useAction('POST /admin/sessions/{appointment_id}/cancel', {
    invalidates: [['admin', 'payments'], aheadQuery(practitionerId).queryKey],
    onDone: () => showToast('The session is cancelled. Both get an email.'),
  })
  return (
    <ReasonDialog
      title="Cancel this session?"
      lead={`${formatInstant(session.starts_at)}: ${session.client_name} ${session.unpaid > 0 ? 'has not paid yet and is not charged' : `gets ${formatPounds(session.paid)} back`}, and both get an email. It cannot be undone.`}
      description="It is kept in the audit log. Neither of them sees it."
      confirmLabel="Cancel session"
      limits={limitsOf('POST /admin/sessions/{appointment_id}/cancel', 'reason')}
      onConfirm={(reason) =>
        cancel.send({
          params: { appointment_id: session.appointment_id },
          body: { reason, starts_at: session.starts_at },
        })
      }
      onClose={onClose}
    />
  )
}
