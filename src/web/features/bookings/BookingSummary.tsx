import { IconCalendar, IconClock, IconMapPin, IconMessages, IconVideo } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import { formatDay, formatTimeRange, viewerZone } from '#web/lib/time.ts'
import { formatNames } from '#web/lib/session-formats.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { PractitionerClock } from '#web/ui/SessionClocks.tsx'
import { Portrait, type PortraitImage } from '#web/ui/Portrait.tsx'
import { durationLabel } from './booking-labels.ts'
import { mailedSequence } from './mailed-sequence.ts'

/** What is shown of a booking, whether it is being considered, held or made. */
export type BookingFacts = {
  practitioner: {
    name: string
    providerTypes: readonly string[]
    image: string | PortraitImage | null
    timezone: string
  }
  serviceName: string
  type: AppointmentType
  startsAt: string
  endsAt: string
  /** The address of a face-to-face session, as far as it is known. */
  place?: string
}

/** The facts of a session that exists; nothing for one without a time. */
export function factsOf(session: AppointmentDetail): BookingFacts | undefined {
  if (!session.starts_at || !session.ends_at || !session.appointment_type) return undefined
  return {
    practitioner: {
      name: session.practitioner.full_name,
      providerTypes: session.practitioner.provider_types,
      image: session.practitioner.main_image,
      timezone: session.practitioner.timezone,
    },
    serviceName: session.service_name ?? 'Session',
    type: session.appointment_type,
    startsAt: session.starts_at,
    endsAt: session.ends_at,
    place: session.location ? placeOf(session.location) : undefined,
  }
}

/** Who, what, when and by whose clock, where. `where` takes the place of the usual words about the place. */
export function BookingSummary({
  facts,
  where,
  level = 2,
}: {
  facts: BookingFacts
  where?: ReactNode
  level?: 2 | 3
}) {
  return (
    <div className="flex flex-col gap-5">
      <PractitionerLine practitioner={facts.practitioner} level={level} />
      <dl className="grid gap-3.5">
        <Fact icon={<IconMessages aria-hidden size={22} />} name="Session">
          <span className="font-semibold">{facts.serviceName}</span>
          <span className="block text-soft">
            {formatNames[facts.type]}, {durationLabel(facts.startsAt, facts.endsAt)}
          </span>
        </Fact>
        <WhenFacts startsAt={facts.startsAt} endsAt={facts.endsAt} theirZone={facts.practitioner.timezone} />
        <Fact
          icon={
            facts.type === 'online' ? (
              <IconVideo aria-hidden size={22} />
            ) : (
              <IconMapPin aria-hidden size={22} />
            )
          }
          name="Where"
        >
          {where ?? (facts.type === 'online' ? onlineText : (facts.place ?? placeText))}
        </Fact>
      </dl>
    </div>
  )
}

/** Whom a session is with. */
export function PractitionerLine({
  practitioner: { name, image, providerTypes },
  level = 2,
}: {
  practitioner: Omit<BookingFacts['practitioner'], 'timezone'>
  level?: 2 | 3
}) {
  const Name = `h${level}` as const
  return (
    <div className="flex items-center gap-4">
      <Portrait name={name} image={image} size={80} shape="arch" />
      <div className="min-w-0">
        <Name className="text-xl">{name}</Name>
        <p className="text-soft">{providerTypes.join(', ')}</p>
      </div>
    </div>
  )
}

/** The day and the time, on both clocks wherever the practitioner's shows another. */
export function WhenFacts({
  startsAt,
  endsAt,
  theirZone,
}: {
  startsAt: string
  endsAt: string
  theirZone: string
}) {
  const zone = viewerZone()
  return (
    <>
      <Fact icon={<IconCalendar aria-hidden size={22} />} name="Date">
        <span className="font-semibold">{formatDay(startsAt, zone)}</span>
      </Fact>
      <Fact icon={<IconClock aria-hidden size={22} />} name="Time">
        <span className="font-semibold tabular-nums">{formatTimeRange(startsAt, endsAt, zone)}</span>
        <PractitionerClock startsAt={startsAt} endsAt={endsAt} zone={theirZone} className="text-soft" />
      </Fact>
    </>
  )
}

/** One line of a description list: an icon for the eye, its name for the ear. */
export function Fact({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className="flex gap-3">
      <dt className="mt-0.5 shrink-0 text-action">
        {icon}
        <span className="sr-only">{name}</span>
      </dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

/** 'Consulting room, 12 High Street, Bath, BA1 1AA'. */
export function placeOf(location: { location_name: string; address: string }): string {
  return [location.location_name, location.address].filter(Boolean).join(', ')
}

const onlineText = 'Online. The way in is in My Sessions once the session is booked.'
const placeText = 'In person. The address is in My Sessions once the session is booked.'

/**
 * Tells that the session has changed since the mail whose link led here. Empty for a link that is not older than the
 * session, and for what changes while the page is open, which the page itself shows.
 */
export function ChangedSinceMail({
  sequence,
  className,
}: {
  /** Of the session as it is now. */
  sequence: number
  /** Layout only. */
  className?: string
}) {
  const [search] = useSearchParams()
  const [isOld] = useState(() => (mailedSequence(search) ?? sequence) < sequence)
  if (!isOld) return null
  return (
    <Alert live="polite" className={className}>
      This session has changed since we sent you that email. This is how it stands now.
    </Alert>
  )
}
