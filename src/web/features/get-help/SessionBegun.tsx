import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { FollowedAppointment } from '#contract/bookings/bookings.ts'
import type { HelpDispatch } from '#contract/get-help/help-dispatch.ts'
import { serverNow } from '#web/lib/clock.ts'
import { isOpen } from '#web/lib/site.ts'
import { formatTimeRange, viewerZone } from '#web/lib/time.ts'
import { Button } from '#web/ui/Button.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { FoundTherapist } from './FoundTherapist.tsx'
import { texts } from './help-labels.ts'
import { HelpFrame } from './HelpFrame.tsx'
import { MoneyState } from './MoneyState.tsx'
import { useTitleUntilSeen } from './use-title-flash.ts'

type Props = {
  session: FollowedAppointment
  dispatch: HelpDispatch
  /** Into the chat, after a moment in which one can choose to stay. */
  isLedOn: boolean
}

/** Milliseconds until the chat opens by itself: enough to read what has happened, and to stay. */
const ledOnAfter = 8000

/** A practitioner has accepted: the links to the session, and what was paid. */
export function SessionBegun({ session, dispatch, isLedOn }: Props) {
  const navigate = useNavigate()
  const [stays, setStays] = useState(false)
  const { practitioner, dialog_id, money } = dispatch
  const { starts_at, ends_at, meeting_link } = session
  const isOver = ends_at !== null && Date.parse(ends_at) <= serverNow()
  const name = practitioner?.first_name ?? session.practitioner.first_name
  const chatPath = dialog_id && isOpen('/chats') ? `/chat?dialogId=${dialog_id}` : undefined
  const isLeaving = isLedOn && !stays && !isOver && chatPath !== undefined
  useTitleUntilSeen(isOver ? undefined : 'Your therapist is there')
  useEffect(() => {
    if (!isLeaving) return undefined
    const timer = setTimeout(() => void navigate(chatPath), ledOnAfter)
    return () => clearTimeout(timer)
  }, [isLeaving, chatPath, navigate])
  return (
    <HelpFrame
      step="accepted"
      title={isOver ? 'Your session has taken place' : texts.booked}
      lead={isOver ? `Your chat with ${name} stays open.` : `${name} has accepted and is there for you now.`}
      here="Booking"
    >
      <div className="flex flex-col gap-3 sm:flex-row">
        {chatPath && <ButtonLink to={chatPath}>Open your chat with {name}</ButtonLink>}
        {meeting_link && !isOver && (
          <a
            href={meeting_link}
            target="_blank"
            rel="noreferrer"
            className={buttonLook({ variant: 'secondary' })}
          >
            Join the online room
            <span className="sr-only"> in a new tab</span>
          </a>
        )}
        {isOver && (
          <ButtonLink to="/my-sessions" variant="secondary">
            My Sessions
          </ButtonLink>
        )}
      </div>
      {isLeaving && (
        <p className="flex flex-wrap items-center gap-x-4 text-soft">
          <span>Your chat opens by itself in a moment.</span>
          <Button variant="secondary" size="small" onPress={() => setStays(true)}>
            Stay here
          </Button>
        </p>
      )}
      {practitioner && (
        <FoundTherapist practitioner={practitioner}>
          {starts_at && ends_at && (
            <p>
              {isOver ? 'From' : 'Now, from'}{' '}
              <span className="font-semibold tabular-nums">
                {formatTimeRange(starts_at, ends_at, viewerZone())}
              </span>
              , 15 minutes
            </p>
          )}
        </FoundTherapist>
      )}
      <MoneyState money={money} />
    </HelpFrame>
  )
}
