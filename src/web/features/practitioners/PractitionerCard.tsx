import type { ReactNode } from 'react'
import { bookTherapistPath } from '#web/lib/booking-path.ts'
import { startChatPath } from '#web/lib/chat-paths.ts'
import type { InstantLike } from '#web/lib/time.ts'
import { formatWords } from '#web/lib/session-formats.ts'
import { Portrait } from '#web/ui/Portrait.tsx'
import { PriceWords } from '#web/ui/Price.tsx'
import { Rating } from '#web/ui/Rating.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { noTimesLabel, startLabel } from './free-time.ts'
import { type ShownCard, unpackStarts } from './shown-card.ts'

export type PractitionerCardProps = {
  card: ShownCard
  zone: string
  now: InstantLike
  /** Not above the fold. */
  isLazy?: boolean
  /** Whether the reader may begin a chat. */
  hasChat?: boolean
  /** One icon at the top corner, 44px on each side. */
  corner?: ReactNode
}

/**
 * A practitioner in a list that is a `@container`: first the person, then what they help with, then times that can be
 * booked. The whole card links to the profile. Each part has the same place on every card. `written-cards.ts` reads the
 * parts back out of the markup. It uses no context, so that it can be rendered outside a page, and its links are plain:
 * the list follows them.
 */
export function PractitionerCard({ card, zone, now, isLazy, hasChat = true, corner }: PractitionerCardProps) {
  const { id, name, rating } = card
  return (
    <article aria-labelledby={`p${id}`} className="result-card">
      <Portrait
        name={name}
        image={card.image}
        size={96}
        shape="arch"
        isLazy={isLazy}
        isSizedByClass
        className="result-image"
      />
      <h3 id={`p${id}`}>{name}</h3>
      <div className="result-facts">
        <p>{card.facts}</p>
        <p>
          <Rating value={rating?.value ?? null} total={rating?.total} isShort />
          {` · ${card.meeting}`}
        </p>
      </div>
      <div className="result-words">
        <p>{card.about}</p>
        {card.issues && <p>{`Helps with: ${card.issues}`}</p>}
      </div>
      <p>
        <PriceWords min={card.price.min} max={card.price.max} />
        <span> a session</span>
      </p>
      <div className="result-foot">
        <FreeTimes card={card} zone={zone} now={now} />
        <div className="result-actions">
          {hasChat && (
            <a className="result-chat" href={startChatPath(id)}>
              Chat now<span className="sr-only">{` with ${name}`}</span>
            </a>
          )}
          <a className="result-profile" href={card.profile}>
            See profile<span className="sr-only">{` of ${name}`}</span>
          </a>
        </div>
      </div>
      {corner && <div className="result-corner">{corner}</div>}
    </article>
  )
}

/** The next free times; each leads to booking it. */
function FreeTimes({ card, zone, now }: Pick<PractitionerCardProps, 'card' | 'zone' | 'now'>) {
  const starts = unpackStarts(card.starts)
  if (starts.length === 0) return <p className="result-no-times">{noTimesLabel(card.waiting)}</p>
  return (
    <ul aria-label={`Next free times of ${card.name}`}>
      {starts.map(({ starts_at: startsAt, appointment_type: type, service_id: serviceId }) => (
        <li key={startsAt}>
          <a href={bookTherapistPath({ practitionerId: card.id, serviceId, startsAt, type })}>
            <b>{startLabel(startsAt, zone, now)}</b>
            {` ${formatWords[type]}`}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The shape of a card that is still to come. */
export function PractitionerCardSkeleton() {
  return (
    <div className="result-card">
      <Skeleton className="result-portrait rounded-t-full" />
      <Skeleton className="result-name h-7 w-48" />
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
