import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { callApiForFile } from '#web/lib/api.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import { FileButton } from '#web/ui/FileButton.tsx'
import { formatNames } from './booking-labels.ts'

/** Where an online session is held, with the way in as soon as the practitioner's link is known. */
export function OnlineRoom({ session }: { session: AppointmentDetail }) {
  return (
    <>
      {formatNames.online}
      {session.meeting_link ? (
        <span className="mt-2 block">
          <a
            href={session.meeting_link}
            target="_blank"
            rel="noreferrer"
            className={buttonLook({ variant: 'secondary' })}
          >
            Join
            <span className="sr-only">
              {' '}
              the session with {session.practitioner.full_name}, opens in a new tab
            </span>
          </a>
          <span className="hidden break-all print:block">{session.meeting_link}</span>
        </span>
      ) : (
        <span className="block text-sm text-soft">
          {session.frozen_until
            ? 'The link is unavailable while we check the session.'
            : 'Your therapist’s link will appear here.'}
        </span>
      )}
    </>
  )
}

/** A booked session for the calendar on this device. */
export function CalendarFile({ session }: { session: AppointmentDetail }) {
  return (
    <FileButton
      label="Add to calendar"
      name={`Add to calendar: the session with ${session.practitioner.full_name}`}
      size="medium"
      fetchFile={() =>
        callApiForFile('GET /appointment/{appointment_id}/calendar-file', {
          params: { appointment_id: session.appointment_id },
        })
      }
    />
  )
}
