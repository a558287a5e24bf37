import type { FollowedAppointment } from '#contract/bookings/bookings.ts'
import type { HelpDispatch } from '#contract/get-help/help-dispatch.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { formatTimeRange, viewerZone } from '#web/lib/time.ts'
import { useRenderAt } from '#web/lib/use-render-at.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { RoomLink } from '#web/ui/RoomLink.tsx'
import { FoundTherapist } from './FoundTherapist.tsx'
import { texts } from './help-labels.ts'
import { helpSearchPath } from './help-paths.ts'
import { isOver } from './help-queries.ts'
import { HelpFrame } from './HelpFrame.tsx'
import { MoneyState } from './MoneyState.tsx'

type Props = { session: FollowedAppointment; dispatch: HelpDispatch }

/** For a client who comes back to a search that a practitioner has accepted: the way into the session, and what was paid. */
export function SessionBegun({ session, dispatch }: Props) {
  const { practitioner, money } = dispatch
  const { starts_at, ends_at, room } = session
  const isCancelled = session.status === 'cancelled'
  useRenderAt(ends_at === null ? undefined : Date.parse(ends_at))
  const hasEnded = isCancelled || isOver(session)
  const isRoomOpen = !hasEnded && room?.kind === 'hearth'
  const name = practitioner?.first_name ?? session.practitioner.first_name
  const ended = isCancelled
    ? 'Your session was cancelled'
    : session.status === 'no_show'
      ? 'Your session was marked as missed'
      : 'Your session has taken place'
  return (
    <HelpFrame
      step="accepted"
      title={hasEnded ? ended : texts.booked}
      lead={
        hasEnded ? `Your chat with ${name} stays open.` : `${name} has accepted and is there for you now.`
      }
      here="Booking"
    >
      <div className="flex flex-col gap-3 sm:flex-row">
        {isRoomOpen && (
          <RoomLink room={room} session={`with ${name}`}>
            Join the room
          </RoomLink>
        )}
        <ButtonLink to={sessionPath(dispatch.dispatch_id)} variant={isRoomOpen ? 'secondary' : 'primary'}>
          {hasEnded || isRoomOpen ? 'See the session' : `Go to your session with ${name}`}
        </ButtonLink>
        {isCancelled && (
          <ButtonLink to={helpSearchPath(dispatch.issue?.issue_id)} variant="secondary">
            {texts.searchAgain}
          </ButtonLink>
        )}
      </div>
      {practitioner && (
        <FoundTherapist practitioner={practitioner}>
          {starts_at && ends_at && !isCancelled && (
            <p>
              {hasEnded ? 'From' : 'Now, from'}{' '}
              <span className="font-semibold tabular-nums">
                {formatTimeRange(starts_at, ends_at, viewerZone())}
              </span>
              , 15 minutes
            </p>
          )}
        </FoundTherapist>
      )}
      <MoneyState money={money} session={session} />
    </HelpFrame>
  )
}
