import { useQueryClient } from '@tanstack/react-query'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import type { SuccessWords } from '#web/ui/LiveRegion.tsx'
import { TechnicalFailure } from '#web/ui/TechnicalFailure.tsx'
import { AllowLatePayment } from './AllowLatePayment.tsx'
import { CancelOwnSession } from './CancelOwnSession.tsx'
import { dashboardRoot } from './dashboard-queries.ts'
import { RecordOutcome } from './RecordOutcome.tsx'

/** A session, and what is about to be done to it. */
export type AskedAct = {
  session: TherapistSession
  act: 'cancel' | 'completed' | 'no_show' | 'late_payment' | 'failed'
}

type Props = { asked: AskedAct; onClose(): void; onDone(words: SuccessWords): void }

/** Asks before a practitioner does something to a session. */
export default function SessionActDialog({ asked: { session, act }, onClose, onDone }: Props) {
  const client = useQueryClient()
  const { name } = session.client
  if (act === 'cancel') {
    const money =
      session.status === 'reserved' ? ', and nothing is charged' : ' and gets the whole price back'
    return (
      <CancelOwnSession
        session={session}
        onClose={onClose}
        onCancelled={() =>
          onDone({ title: 'The session is cancelled', text: `${name} has been told${money}.` })
        }
      />
    )
  }
  if (act === 'failed') {
    return (
      <TechnicalFailure
        appointmentId={session.appointment_id}
        clientName={name}
        onClose={onClose}
        onDone={() => {
          void client.invalidateQueries({ queryKey: dashboardRoot() })
          onDone({
            title: 'The session is cancelled',
            text: `${name} has been told and gets the whole price back.`,
          })
        }}
      />
    )
  }
  if (act === 'late_payment') {
    return (
      <AllowLatePayment
        session={session}
        onClose={onClose}
        onAllowed={() =>
          onDone({ title: 'The session is kept until it starts', text: `${name} can pay until then.` })
        }
      />
    )
  }
  return (
    <RecordOutcome
      session={session}
      as={act}
      onClose={onClose}
      onSettled={({ status }) =>
        onDone(
          status === 'completed'
            ? { title: 'Marked as completed', text: `${name} can review the session now.` }
            : {
                title: 'Recorded that the client did not come',
                text: `${name} has been told, and can dispute it for 14 days. You can still correct it.`,
              },
        )
      }
    />
  )
}
