import { useQueryClient } from '@tanstack/react-query'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { useKeptText } from '#web/lib/kept-text.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { formatPounds } from '#web/lib/money.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { PractitionerClock } from '#web/ui/SessionClocks.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { bankReturnsLabel } from './bank-returns.ts'
import { upcomingQuery } from './booking-queries.ts'
import { BookingProblem } from './BookingProblem.tsx'
import { InView } from './InView.tsx'

type Props = {
  session: AppointmentDetail
  onClose(): void
  onCancelled(session: AppointmentDetail): void
}

/** Asks before a session is cancelled, with the exact refund. What was written is kept when it fails. */
export default function CancelSession({ session, onClose, onCancelled }: Props) {
  const client = useQueryClient()
  const [reason, setReason] = useKeptText(`cancel-${session.appointment_id}`)
  const { practitioner, starts_at, status } = session
  const byBank = bankReturnsLabel(session)

  const cancel = useAction('POST /appointment/cancel-session', {
    invalidates: [upcomingQuery().queryKey],
    onDone() {
      setReason('')
      // The time is free again wherever it is shown.
      void client.invalidateQueries()
      onCancelled(session)
    },
    onRefused: () => void client.invalidateQueries(),
  })

  return (
    <ActionDialog
      onClose={onClose}
      title="Cancel this session?"
      confirmLabel="Cancel session"
      cancelLabel="Keep session"
      isDangerous
      onConfirm={() =>
        cancel.send({
          body: {
            appointment_id: session.appointment_id,
            reason: reason.trim() || null,
            starts_at: starts_at ?? undefined,
          },
        })
      }
      renderFailure={(error) => (
        <InView>
          <BookingProblem error={error} onRepeat="it is cancelled and refunded only once" />
        </InView>
      )}
    >
      <p>
        With {practitioner.full_name}
        {starts_at && <>, {formatDayAndTime(starts_at, viewerZone())}</>}. Others can then book this time, so
        it cannot be undone.
        {starts_at && <PractitionerClock startsAt={starts_at} zone={practitioner.timezone} />}
      </p>
      {status === 'reserved' ? (
        <p className="rounded-lg bg-action-soft p-4 text-on-action-soft">
          It is not paid yet, so nothing is charged. Your other regular sessions stay as they are.
        </p>
      ) : byBank ? (
        <p className="rounded-lg bg-action-soft p-4 text-on-action-soft">{byBank}</p>
      ) : (
        <p className="flex items-baseline justify-between gap-4 rounded-lg bg-action-soft p-4 text-on-action-soft">
          <span>You get back, to the card you paid with</span>
          <strong className="font-serif text-2xl font-normal tabular-nums">
            {formatPounds(session.fee)}
          </strong>
        </p>
      )}
      <TextArea
        label="Reason"
        isOptional
        description="Only if you want to give one."
        rows={2}
        maxLength={limitsOf('POST /appointment/cancel-session', 'reason').maxLength?.value}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ActionDialog>
  )
}
