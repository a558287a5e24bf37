import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { serverNow } from '#web/lib/clock.ts'
import { joinLead } from '#web/lib/session-paths.ts'
import { formatTime, viewerZone } from '#web/lib/time.ts'
import { useRenderAt } from '#web/lib/use-render-at.ts'
import { formatNames } from '#web/lib/session-formats.ts'
import { RoomLink } from '#web/ui/RoomLink.tsx'
import { sessionWords } from './booking-labels.ts'

/** Where an online session is held: a link of the practitioner's from the confirmation on, the button from shortly before. */
export function OnlineRoom({ session }: { session: AppointmentDetail }) {
  const { meeting_link, room, starts_at } = session
  const opensAt = starts_at ? Date.parse(starts_at) - joinLead : 0
  useRenderAt(opensAt)
  const isOpen = serverNow() >= opensAt
  return (
    <>
      {room?.kind === 'hearth' ? 'Online, in your private room on Hearth' : formatNames.online}
      {room?.ended_at ? (
        <span className="block text-sm text-soft">Ended at {formatTime(room.ended_at, viewerZone())}.</span>
      ) : room?.link ? (
        <>
          {isOpen && (
            <span className="mt-2 block">
              <RoomLink room={room} session={`the session with ${sessionWords(session)}`}>
                Join
              </RoomLink>
            </span>
          )}
          <span className="mt-1 block text-sm">
            {meeting_link && (
              <a
                href={meeting_link}
                target="_blank"
                rel="noreferrer"
                className="break-all text-action underline underline-offset-[0.2em] hover:text-action-strong"
              >
                {meeting_link.replace(/^https:\/\//, '')}
                <span className="sr-only">
                  , room of the session with {sessionWords(session)}, opens in a new tab
                </span>
              </a>
            )}
            {!isOpen && (
              <span className="block text-soft">
                A button to join appears here 15 minutes before the start.
              </span>
            )}
          </span>
        </>
      ) : (
        <span className="block text-sm text-soft">
          {session.frozen_until
            ? 'The link is unavailable while we check the session.'
            : 'Your practitioner’s link will appear here.'}
        </span>
      )}
    </>
  )
}
