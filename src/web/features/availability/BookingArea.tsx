import type { PractitionerProfile, Service } from '#contract/practitioners/practitioners.ts'
import { useEarlyForm } from '#web/lib/hydrated.ts'
import { formatPounds, poundsToPence } from '#web/lib/money.ts'
import { formatDay, formatTimeRange, type InstantLike } from '#web/lib/time.ts'
import { useViewerZone } from '#web/lib/viewer-zone.ts'
import { formatNames, formatOption } from '#web/lib/session-formats.ts'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Price } from '#web/ui/Price.tsx'
import { SegmentedToggle } from '#web/ui/SegmentedToggle.tsx'
import { Select } from '#web/ui/Select.tsx'
import { type BookingChoice, bookButtonId, bookingPath, formatsOf, waitingOf } from './booking-choice.ts'
import { type InitialWeek, SlotPicker } from './SlotPicker.tsx'

export type BookingAreaProps = {
  practitioner: Pick<
    PractitionerProfile,
    'practitioner_id' | 'first_name' | 'timezone' | 'services' | 'waitlist' | 'next_available'
  >
  choice: BookingChoice
  initial: InitialWeek | undefined
  now: InstantLike
  /** The address of this page with another format, service, week or day, for reading without JavaScript. */
  pagePath(change: { service?: Service | undefined; week?: string; day?: string }): string
}

/** Where a session is chosen: format, service, time. Leads to the page where it is reviewed and paid. */
export function BookingArea({ practitioner, choice, initial, now, pagePath }: BookingAreaProps) {
  const zone = useViewerZone()
  const { services, practitioner_id: id, timezone } = practitioner
  const { service, slot } = choice
  const form = useEarlyForm((touched) => {
    const chosen = new FormData(touched)
    const type = formatsOf(services).find((format) => format === chosen.get('type'))
    if (type) choice.setService(type, Number(chosen.get('service') ?? service?.service_id))
  })
  if (!service) {
    return <p className="text-soft">{practitioner.first_name} is not taking bookings at the moment.</p>
  }
  const formats = formatsOf(services)
  const offered = services[service.appointment_type]
  const waiting = waitingOf(practitioner, service)
  if (waiting?.isFull) {
    return (
      <FullArea
        name={practitioner.first_name}
        waiting={practitioner.waitlist.waiting}
        joinPath={waiting.joinPath}
      />
    )
  }
  return (
    <div className="flex flex-col gap-5">
      <form ref={form} action="/recommended-therapist" method="get" className="flex flex-col gap-4">
        <input type="hidden" name="practitionerId" value={id} />
        {formats.length > 1 ? (
          <SegmentedToggle
            label="How you meet"
            isLabelHidden
            name="type"
            value={service.appointment_type}
            onChange={(type) => choice.setService(type as Service['appointment_type'], service.service_id)}
            options={formats.map(formatOption)}
          />
        ) : (
          <>
            <input type="hidden" name="type" value={service.appointment_type} />
            <p className="font-semibold">{formatNames[service.appointment_type]}</p>
          </>
        )}
        {offered.length > 1 ? (
          <Select
            label="Session"
            name="service"
            isWrapping
            value={service.service_id}
            onChange={(event) =>
              choice.setService(service.appointment_type, Number(event.currentTarget.value))
            }
            options={offered.map((each) => ({ value: String(each.service_id), label: serviceLabel(each) }))}
          />
        ) : (
          <p className="flex items-baseline justify-between gap-4">
            <span>
              {service.service_name}, {service.duration} minutes
            </span>
            <Price pence={poundsToPence(service.fee)} className="font-semibold" />
          </p>
        )}
        <noscript>
          <button type="submit" className="target rounded-full border border-edge px-5 font-semibold">
            Show times for this
          </button>
        </noscript>
      </form>
      <SlotPicker
        // Another service begins with the present week again.
        key={`${service.appointment_type}-${service.service_id}`}
        practitionerId={id}
        serviceId={service.service_id}
        appointmentType={service.appointment_type}
        practitionerZone={timezone}
        value={slot?.starts_at}
        onChange={choice.setSlot}
        now={now}
        initial={initial}
        opensAt={choice.opensAt}
        links={{
          day: (day) => pagePath({ service, day }),
          week: (week) => pagePath({ service, week }),
          slot: (each) => bookingPath(id, service, each),
        }}
      />
      <div className="flex flex-col gap-3 border-t border-line pt-4">
        <output className="empty:sr-only">
          {slot && (
            <span className="flex items-baseline justify-between gap-4">
              <span>
                <strong className="block font-semibold">{formatDay(slot.starts_at, zone, now)}</strong>
                {formatTimeRange(slot.starts_at, slot.ends_at, zone)}
              </span>
              <Price pence={poundsToPence(service.fee)} className="text-lg font-semibold" />
            </span>
          )}
        </output>
        {slot ? (
          <ButtonLink id={bookButtonId} to={bookingPath(id, service, slot)} fullWidth>
            Book session
          </ButtonLink>
        ) : (
          <p className="text-sm text-soft">
            Choose a time to continue. You can check everything before you pay.
          </p>
        )}
        {!slot && waiting && (
          <p className="text-sm">
            No time that suits you?{' '}
            <TextLink to={waiting.joinPath} className="tappable-small">
              Join the waitlist
            </TextLink>
          </p>
        )}
        <p className="text-sm text-soft">
          You can cancel or move it free of charge within 48 hours of booking, or until 48 hours before it
          starts.
        </p>
      </div>
    </div>
  )
}

/** In place of free times: how many clients wait, and the way to join them. */
function FullArea({ name, waiting, joinPath }: { name: string; waiting: number; joinPath: string }) {
  return (
    <div className="flex flex-col gap-4">
      <p>
        <strong className="font-semibold">{name} has no free times in the next 60 days.</strong>{' '}
        {waiting === 0
          ? 'You would be the first to wait.'
          : waiting === 1
            ? 'One person is waiting.'
            : `${waiting} people are waiting.`}
      </p>
      <ButtonLink to={joinPath} fullWidth>
        Join the waitlist
      </ButtonLink>
      <p className="text-sm text-soft">
        Tell us when you could come. When such a time comes free, we email you and hold it for you. It costs
        nothing to wait.
      </p>
    </div>
  )
}

function serviceLabel({ service_name, duration, fee }: Service): string {
  return `${service_name}, ${duration} min, ${formatPounds(fee)}`
}
