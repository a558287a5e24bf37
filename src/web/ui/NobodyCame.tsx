import { useState } from 'react'
import { serverNow } from '../lib/clock.ts'
import { focusOnHeading } from '../lib/focus-on-heading.ts'
import { useAction } from '../lib/use-action.ts'
import { useRenderAt } from '../lib/use-render-at.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { ErrorAlert } from './ErrorAlert.tsx'

type Props = {
  appointmentId: string
  practitionerName: string
  /** From when the client may report it; null where they may not. */
  from: string | null
  /** Until when; undefined where `from` turns null by itself. */
  until?: string
  endsAt: string
  /** Its room is closed, be it before the end. */
  isRoomClosed?: boolean
  /** Reads what is shown anew. Then the focus goes to its heading. */
  onDone(): Promise<unknown>
}

/** The way to the money back, for a client who was alone in the room for ten minutes of the session: until a day after it. */
export function NobodyCame({ from, until, endsAt, isRoomClosed = false, onDone, ...session }: Props) {
  const [isAsking, setAsking] = useState(false)
  const [fromMs, untilMs] = [from, until].map((at) => (at ? Date.parse(at) : undefined))
  useRenderAt(fromMs)
  useRenderAt(untilMs)
  const now = serverNow()
  if (fromMs === undefined || now < fromMs || (untilMs !== undefined && now >= untilMs)) return null
  const { practitionerName: name } = session
  const isOver = isRoomClosed || now >= Date.parse(endsAt)
  return (
    <>
      <Alert
        tone="warning"
        live="polite"
        title={isOver ? `${name} did not come` : `${name} has not come`}
        actions={
          <Button variant="secondary" size="small" onPress={() => setAsking(true)}>
            Get my money back
          </Button>
        }
      >
        {isOver
          ? 'We are sorry. You can get everything back until a day after the session.'
          : 'We are sorry. You can wait a little longer, or end the session and get everything back.'}
      </Alert>
      {isAsking && (
        <AskBefore
          {...session}
          isOver={isOver}
          onClose={() => setAsking(false)}
          onDone={() => void onDone().then(focusOnHeading)}
        />
      )}
    </>
  )
}

type AskProps = Pick<Props, 'appointmentId' | 'practitionerName'> & {
  /** The time of the session has passed, or its room is closed. */
  isOver: boolean
  onClose(): void
  onDone(): void
}

/** Asks before a session is refunded. One that still runs ends by it. */
function AskBefore({ appointmentId, practitionerName, isOver, onClose, onDone }: AskProps) {
  const report = useAction('POST /appointment/{appointment_id}/nobody-came', { onDone })
  return (
    <ActionDialog
      onClose={onClose}
      title={isOver ? 'Get your money back?' : 'End the session and get your money back?'}
      confirmLabel={isOver ? 'Refund me' : 'End it and refund me'}
      cancelLabel={isOver ? 'Not now' : 'Wait a little longer'}
      onConfirm={() => report.send({ params: { appointment_id: appointmentId } })}
      renderFailure={(error) => (
        <ErrorAlert
          title={isOver ? 'It may not have been refunded' : 'It may not have been ended'}
          error={error}
        >
          {' '}
          It is safe to press again: it is refunded only once.
        </ErrorAlert>
      )}
    >
      <p>
        We are sorry that you waited.{' '}
        {isOver
          ? `${practitionerName} did not come, so you get back`
          : `${practitionerName} has not come, so the session ends now and you get back`}{' '}
        everything you paid, to the card you paid with.
      </p>
      <p>We tell {practitionerName}, and you can book another time or someone else.</p>
    </ActionDialog>
  )
}
