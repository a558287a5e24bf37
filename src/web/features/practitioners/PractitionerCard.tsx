import { useId } from 'react'
import type { AppointmentType } from '#contract/common.ts'
import { poundsToPence } from '#web/lib/money.ts'
import type { InstantLike } from '#web/lib/time.ts'
import { Card } from '#web/ui/Card.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { PriceRange } from '#web/ui/Price.tsx'
import { Rating } from '#web/ui/Rating.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Tags } from '#web/ui/Tags.tsx'
import { ChatNow } from './ChatNow.tsx'
import { experienceLabel } from './experience.ts'
import { NextFree } from './NextFree.tsx'
import { profilePath } from './profile-path.ts'
import type { ShownCard } from './shown-card.ts'

export type PractitionerCardProps = {
  practitioner: ShownCard
  /** The format of the search: the card shows the next free time in it. */
  sessionType?: AppointmentType
  zone: string
  now: InstantLike
  /** Not above the fold. */
  isLazy?: boolean
}

/** A practitioner in a list: first the person, then the next free time, then the facts. The whole card links to the profile. */
export function PractitionerCard({ practitioner, sessionType, zone, now, isLazy }: PractitionerCardProps) {
  const id = useId()
  const { full_name: name, provider_types, experience, issue, min_fee, max_fee, cities } = practitioner
  return (
    <Card
      as="article"
      aria-labelledby={id}
      className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-3 transition-shadow hover:shadow-mid sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-x-6"
    >
      <Portrait
        name={name}
        image={practitioner.profile_image}
        size={112}
        shape="arch"
        isDecorative
        isLazy={isLazy}
        className="max-sm:order-2 max-sm:!size-20 sm:row-span-2"
      />
      <div className="flex min-w-0 flex-col gap-3">
        <div>
          <h3 id={id} className="text-xl">
            {name}
          </h3>
          <p className="text-sm text-soft">
            {provider_types.join(', ')} · {experienceLabel(experience)}
          </p>
        </div>
        <NextFree
          next={practitioner.next_available}
          type={sessionType}
          zone={zone}
          now={now}
          className="text-sm"
        />
      </div>
      <div className="col-span-2 flex min-w-0 flex-col gap-3 max-sm:order-3 sm:col-span-1 sm:col-start-2">
        <p className="text-pretty">{practitioner.short_description}</p>
        <div>
          <span className="sr-only">Helps with:</span>
          <Tags items={issue.map(({ issue_name }) => issue_name)} tone="sand" />
        </div>
        <div className="mt-1 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 border-t border-line pt-4">
          <div className="flex flex-col gap-1 text-sm">
            <Rating value={practitioner.reviews_rating} total={practitioner.reviews_total} />
            <span className="text-soft">{formats(practitioner.session_types, cities)}</span>
          </div>
          <div className="flex grow flex-wrap items-center justify-end gap-x-5 gap-y-2">
            <p className="text-right">
              <PriceRange
                min={poundsToPence(min_fee)}
                max={poundsToPence(max_fee)}
                className="text-lg font-semibold"
              />
              <span className="block text-xs text-soft">a session</span>
            </p>
            <ChatNow
              practitionerId={practitioner.practitioner_id}
              name={name}
              variant="quiet"
              className="relative z-10 -mx-2"
            />
            <ButtonLink
              to={profilePath(
                practitioner.practitioner_id,
                // With one format there is nothing to say.
                practitioner.session_types.length > 1 ? sessionType : undefined,
              )}
              variant="secondary"
              className="after:absolute after:inset-0 after:rounded-xl"
            >
              See profile<span className="sr-only"> of {name}</span>
            </ButtonLink>
          </div>
        </div>
      </div>
    </Card>
  )
}

/** Online, and face to face in Leeds. */
function formats(types: readonly AppointmentType[], cities: readonly string[]): string {
  const places = cities.length > 0 ? ` in ${cities.slice(0, 2).join(' and ')}` : ''
  const words = types.map((type) => (type === 'online' ? 'online' : `face to face${places}`)).join(' and ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The shape of a card that is still to come. */
export function PractitionerCardSkeleton() {
  return (
    <Card className="grid grid-cols-[1fr_auto] gap-x-6 sm:grid-cols-[auto_1fr]">
      <Skeleton className="size-20 rounded-t-full max-sm:order-2 sm:size-28" />
      <div className="flex flex-col gap-3">
        <Skeleton className="h-7 w-48 max-w-full" />
        <Skeleton className="h-5 w-64 max-w-full" />
        <Skeleton className="h-5 w-56 max-w-full" />
        <Skeleton className="h-12" />
        <Skeleton className="h-6 w-72 max-w-full" />
        <Skeleton className="mt-3 h-12 w-36 justify-self-end" />
      </div>
    </Card>
  )
}
