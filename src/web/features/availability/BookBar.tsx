import type { PractitionerProfile } from '#contract/practitioners/practitioners.ts'
import { poundsToPence } from '#web/lib/money.ts'
import { formatShortDay, formatTime } from '#web/lib/time.ts'
import { useViewerZone } from '#web/lib/viewer-zone.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import { classes } from '#web/ui/classes.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Price } from '#web/ui/Price.tsx'
import { type BookingChoice, bookButtonId, bookingPath, waitingOf } from './booking-choice.ts'
import { useInView } from './use-in-view.ts'

export type BookBarProps = {
  practitioner: Pick<PractitionerProfile, 'practitioner_id' | 'waitlist' | 'next_available'>
  choice: BookingChoice
  /** The id of the part of the page where a time is chosen. */
  bookingId: string
}

/** Its own height, about; what lies under it is not in sight. */
const barHeight = 72

/**
 * On a phone, the next step stays at hand while its own place is out of sight: first to the times, then to booking the
 * chosen one.
 */
export function BookBar({ practitioner, choice: { service, slot }, bookingId }: BookBarProps) {
  const zone = useViewerZone()
  const isInView = useInView(slot ? bookButtonId : bookingId, barHeight)
  if (!service) return null
  const waiting = waitingOf(practitioner, service)
  return (
    <div
      className={classes(
        'sticky bottom-0 z-20 -mx-[clamp(16px,4vw,2rem)] border-t border-line bg-surface shadow-high lg:hidden',
        isInView && 'invisible',
      )}
    >
      <div className="page flex items-center justify-between gap-4 py-2.5">
        <p className="leading-tight">
          <Price pence={poundsToPence(service.fee)} className="font-semibold" />
          <span className="block text-sm text-soft">
            {slot ? (
              <>
                {formatShortDay(slot.starts_at, zone)}, {formatTime(slot.starts_at, zone)}
              </>
            ) : (
              `${service.duration} minutes`
            )}
          </span>
        </p>
        {slot ? (
          <ButtonLink to={bookingPath(practitioner.practitioner_id, service, slot)}>Book session</ButtonLink>
        ) : waiting?.isFull ? (
          <ButtonLink to={waiting.joinPath}>Join the waitlist</ButtonLink>
        ) : (
          <a href={`#${bookingId}`} className={classes(buttonLook({}))}>
            Choose a time
          </a>
        )}
      </div>
    </div>
  )
}
