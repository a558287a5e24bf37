import { callApiForFile } from '../lib/api.ts'
import { FileButton } from './FileButton.tsx'

/** A booked session for the calendar on this device, for its client and its practitioner alike. */
export function CalendarFile({
  appointmentId,
  session,
}: {
  appointmentId: string
  /** Which one, to a screen reader: 'with Amara Boateng on Tuesday 3 March 10:00'. */
  session: string
}) {
  return (
    <FileButton
      label="Add to calendar"
      name={`Add to calendar: session with ${session}`}
      size="medium"
      fetchFile={() =>
        callApiForFile('GET /appointment/{appointment_id}/calendar-file', {
          params: { appointment_id: appointmentId },
        })
      }
    />
  )
}
