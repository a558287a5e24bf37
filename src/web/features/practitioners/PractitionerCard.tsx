import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import type { AppointmentType } from '#contract/common.ts'
import { bookTherapistPath } from '#web/lib/booking-path.ts'
import { poundsToPence } from '#web/lib/money.ts'
import type { InstantLike } from '#web/lib/time.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { PriceRange } from '#web/ui/Price.tsx'
import { Rating } from '#web/ui/Rating.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ChatNow } from './ChatNow.tsx'
import { experienceLabel } from './experience.ts'
import { startLabel } from './free-time.ts'
import { profilePath } from './profile-path.ts'
import { type ShownCard, unpackStarts } from './shown-card.ts'

export type PractitionerCardProps = {
  practitioner: ShownCard
  /** The format of the search: the profile opens in it. */
  sessionType?: AppointmentType
  zone: string
  now: InstantLike
  /** Not above the fold. */
  isLazy?: boolean
  /** One icon at the top corner, 44px on each side. */
  corner?: ReactNode
}

/**
 * A practitioner in a list that is a `@container`: first the person, then what they help with, then times that can be
 * booked. The whole card links to the profile. Each part has the same place on every card.
 */
export function PractitionerCard({
  practitioner,
  sessionType,
  zone,
  now,
  isLazy,
  corner,
}: PractitionerCardProps) {
  const id = useId()
  const { practitioner_id: practitionerId, full_name: name, session_types: formats } = practitioner
  return (
    <article aria-labelledby={id} className="result-card">
      <Portrait
        name={name}
        image={practitioner.main_image}
        size={96}
        shape="arch"
        isDecorative
        isLazy={isLazy}
        isSizedByClass
        className="result-portrait"
      />
      <h3 id={id} className="result-name">
        {name}
      </h3>
      <div className="result-facts">
        <p>{`${practitioner.provider_types.join(', ')} · ${experienceLabel(practitioner.experience)}`}</p>
        <p>
          <Rating value={practitioner.reviews_rating} total={practitioner.reviews_total} isShort />
          {` · ${formatsLabel(formats, practitioner.cities)}`}
        </p>
      </div>
      <div className="result-words">
        <p>{practitioner.about}</p>
        {practitioner.issues && <p className="result-issues">{`Helps with: ${practitioner.issues}`}</p>}
      </div>
      <p className="result-price">
        <PriceRange min={poundsToPence(practitioner.min_fee)} max={poundsToPence(practitioner.max_fee)} />
        <span className="result-unit"> a session</span>
      </p>
      <div className="result-foot">
        <FreeTimes practitioner={practitioner} zone={zone} now={now} />
        <div className="result-actions">
          <ChatNow practitionerId={practitionerId} name={name} variant="quiet" className="result-chat" />
          <ButtonLink
            // With one format there is nothing to say.
            to={profilePath(practitionerId, formats.length > 1 ? sessionType : undefined)}
            variant="secondary"
            className="result-action result-cover static"
          >
            See profile<span className="sr-only">{` of ${name}`}</span>
          </ButtonLink>
        </div>
      </div>
      {corner && <div className="result-corner">{corner}</div>}
    </article>
  )
}

const formatLabels = { online: 'online', face_to_face: 'face to face' }

/** The next free times; each leads to booking it. */
function FreeTimes({
  practitioner: { practitioner_id: practitionerId, full_name: name, starts: packed },
  zone,
  now,
}: Pick<PractitionerCardProps, 'practitioner' | 'zone' | 'now'>) {
  const starts = unpackStarts(packed)
  if (starts.length === 0) {
    return <p className="result-times !flex text-sm text-soft">No free times in the coming weeks</p>
  }
  return (
    <ul aria-label={`Next free times of ${name}`} className="result-times">
      {starts.map(({ starts_at: startsAt, appointment_type: type, service_id: serviceId }) => (
        <li key={startsAt}>
          <Link
            to={bookTherapistPath({ practitionerId, serviceId, startsAt, type })}
            discover="none"
            prefetch="intent"
            className="result-time"
          >
            <b>{startLabel(startsAt, zone, now)}</b>
            {` ${formatLabels[type]}`}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Online, and face to face in Leeds. */
function formatsLabel(types: readonly AppointmentType[], cities: readonly string[]): string {
  const places = cities.length > 0 ? ` in ${cities.slice(0, 2).join(' and ')}` : ''
  const words = types.map((type) => formatLabels[type] + (type === 'online' ? '' : places)).join(' and ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The shape of a card that is still to come. */
export function PractitionerCardSkeleton() {
  return (
    <div className="result-card">
      <Skeleton className="result-portrait rounded-t-full" />
      <Skeleton className="result-name h-7 w-48 max-w-full" />
      <Skeleton className="result-facts h-10" />
      <Skeleton className="result-words h-16" />
      <Skeleton className="result-price h-6 w-20" />
      <div className="result-foot">
        <Skeleton className="result-times" />
        <Skeleton className="result-actions h-11 w-48 justify-self-end" />
      </div>
    </div>
  )
}
