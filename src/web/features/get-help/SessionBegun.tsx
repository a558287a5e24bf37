import type { FollowedAppointment, HelpDispatch } from '#contract/get-help.ts'
import { serverNow } from '#web/lib/clock.ts'
import { isOpen } from '#web/lib/site.ts'
import { formatTimeRange, viewerZone } from '#web/lib/time.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { FoundTherapist } from './FoundTherapist.tsx'
import { texts } from './help-words.ts'
import { HelpFrame } from './HelpFrame.tsx'
import { MoneyState } from './MoneyState.tsx'

type Props = { session: FollowedAppointment; dispatch: HelpDispatch }

/** Somebody has accepted: the doors to the session, and what was paid. */
export function SessionBegun({ session, dispatch }: Props) {
  const { practitioner, dialog_id, money } = dispatch
  const { starts_at, ends_at, meeting_link } = session
  const isOver = ends_at !== null && Date.parse(ends_at) <= serverNow()
  const name = practitioner?.first_name ?? session.practitioner.first_name
  return (
    <HelpFrame
      step="accepted"
      title={isOver ? 'Your session has taken place' : texts.booked}
      lead={isOver ? `Your chat with ${name} stays open.` : `${name} has accepted and is there for you now.`}
      here="Booking"
    >
      <div className="flex flex-col gap-3 sm:flex-row">
        {dialog_id && isOpen('/chats') && (
          <ButtonLink to={`/chat?dialogId=${dialog_id}`}>Open your chat with {name}</ButtonLink>
        )}
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
