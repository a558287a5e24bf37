import { useState } from 'react'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import { proposePath } from '#web/lib/series-paths.ts'
import { sessionReference } from '#web/lib/session-paths.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { Button } from '#web/ui/Button.tsx'
import { CalendarFile } from '#web/ui/CalendarFile.tsx'
import { ContactLink } from '#web/ui/ContactLink.tsx'
import { lateDialog } from '#web/ui/Dialog.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { SuccessRegion, type SuccessWords } from '#web/ui/LiveRegion.tsx'
import type { AskedAct } from './SessionActDialog.tsx'
import {
  actsOf,
  attendanceLabel,
  canBeKept,
  offersCancel,
  outcomeLabel,
  paymentChangeLabels,
  refundedLabel,
} from './session-labels.ts'
import { useServerNow } from './use-server-now.ts'

const SessionActDialog = lateDialog(() => import('./SessionActDialog.tsx'))

type Props = {
  session: TherapistSession
  onDone(): void
}

/** Of one session: its outcome and money, and what its practitioner may do to it. */
export default function SessionActs({ session, onDone }: Props) {
  const now = useServerNow()
  // With the session as it stood then: once it is cancelled, it no longer shows whether it was paid. Until then it is followed.
  const [asked, setAsked] = useState<AskedAct>()
  const [success, setSuccess] = useState<SuccessWords>()
  const { can, status } = session
  const ask = (act: AskedAct['act']) => {
    setSuccess(undefined)
    setAsked({ act, session })
  }
  const hasBegun = status !== 'reserved' && Date.parse(session.starts_at) <= now
  const isAhead =
    (status === 'reserved' || status === 'confirmed') &&
    session.frozen_until === null &&
    Date.parse(session.starts_at) > now
  const isOver = Date.parse(session.ends_at) <= now || Boolean(session.room?.ended_at)
  const refunded = refundedLabel(session)
  const offersHour = session.series_id === null && canBeKept(session)
  return (
    <>
      <SuccessRegion success={success} />
      <section aria-labelledby="acts-title" className="flex flex-col gap-3 empty:hidden">
        <h2 id="acts-title" className="text-lg">
          {status === 'cancelled' || isOver ? 'What became of it' : 'What you can do'}
        </h2>
        {(status === 'cancelled' || hasBegun) && (
          <p className="text-soft">{outcomeLabel(session, now, viewerZone())}.</p>
        )}
        {session.no_show?.state === 'disputed' && <YourSide appointmentId={session.appointment_id} />}
        {status !== 'cancelled' && refunded && <p className="text-soft">{refunded} to the client.</p>}
        {hasBegun && session.attendance && (
          <p className="text-soft">
            {attendanceLabel(session.attendance, session.client.name, viewerZone())}
          </p>
        )}
        {session.payment_change && (
          <p className="font-semibold">{paymentChangeLabels[session.payment_change]}</p>
        )}
        {session.your_reason && (
          <figure>
            <figcaption className="text-sm text-soft">You wrote</figcaption>
            <blockquote className="border-l-2 border-line pl-4 whitespace-pre-line">
              {session.your_reason}
            </blockquote>
          </figure>
        )}
        {can.cancel && !hasBegun && (
          <p className="text-sm text-soft">
            {status === 'reserved'
              ? 'You can cancel until it ends. Nothing is charged then.'
              : 'You can cancel until it ends. Your client then gets the whole price back.'}
          </p>
        )}
        <div className="flex flex-wrap gap-3 empty:hidden">
          {actsOf(session).map(({ act, label }) => (
            <Button
              key={act}
              variant={act === 'late_payment' ? 'primary' : 'secondary'}
              onPress={() => ask(act)}
            >
              {label}
            </Button>
          ))}
          {offersHour && (
            <ButtonLink to={proposePath(session.appointment_id)} variant="secondary">
              Offer this hour every week
            </ButtonLink>
          )}
          {isAhead && (
            <CalendarFile
              appointmentId={session.appointment_id}
              session={`${session.client.name}, ${formatDayAndTime(session.starts_at, viewerZone())}`}
            />
          )}
          {offersCancel(session) && (
            <Button variant="secondary" onPress={() => ask('cancel')}>
              Cancel session
            </Button>
          )}
        </div>
      </section>
      {asked && (
        <SessionActDialog
          asked={session.status === 'cancelled' ? asked : { ...asked, session }}
          onClose={() => setAsked(undefined)}
          onDone={(words) => {
            setSuccess(words)
            onDone()
          }}
        />
      )}
    </>
  )
}

/** Of a disputed no-show: what happens to the fee, and how the practitioner is heard. */
function YourSide({ appointmentId }: { appointmentId: string }) {
  return (
    <p>
      We hold the fee until we have decided, and write to you then. To tell us what happened, reply to our
      email, or write to <ContactLink subject={`Session ${appointmentId}`} /> and mention session{' '}
      <span className="whitespace-nowrap tabular-nums">{sessionReference(appointmentId)}</span>.
    </p>
  )
}
