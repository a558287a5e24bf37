import type { Slot } from '#contract/availability/availability.ts'
import { bookTherapistPath } from '#web/lib/booking-path.ts'
import { formatShortDay, formatTime, viewerZone } from '#web/lib/time.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'

type Props = { practitionerId: number; serviceId: number; slots: readonly Slot[] }

/** As many as are shown; the profile has all of them. */
const shown = 6

/** Times that suit and are free now, in place of waiting for one. */
export function FreeTimes({ practitionerId, serviceId, slots }: Props) {
  const zone = viewerZone()
  return (
    <Alert
      tone="success"
      live="assertive"
      title={slots.length === 1 ? 'A time that suits you is free now' : 'Times that suit you are free now'}
    >
      <p>You do not have to wait. You can book one of these.</p>
      <ul className="mt-3 flex flex-wrap gap-2">
        {slots.slice(0, shown).map((slot) => (
          <li key={slot.starts_at}>
            <ButtonLink
              size="small"
              variant="secondary"
              to={bookTherapistPath({
                practitionerId,
                serviceId,
                startsAt: slot.starts_at,
                type: slot.appointment_type,
              })}
            >
              {`${formatShortDay(slot.starts_at, zone)}, ${formatTime(slot.starts_at, zone)}`}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
