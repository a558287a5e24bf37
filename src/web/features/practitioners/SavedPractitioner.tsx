import { type ReactNode, useId } from 'react'
import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import { poundsToPence } from '#web/lib/money.ts'
import type { InstantLike } from '#web/lib/time.ts'
import { Card } from '#web/ui/Card.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { PriceRange } from '#web/ui/Price.tsx'
import { Rating } from '#web/ui/Rating.tsx'
import { experienceLabel } from './experience.ts'
import { NextFree } from './NextFree.tsx'
import { profilePath } from '#web/lib/profile-path.ts'

/** A practitioner on the shortlist: who it is, what a session costs and when one is free. */
export function SavedPractitioner({
  practitioner,
  zone,
  now,
  heart,
  choice,
}: {
  practitioner: PractitionerCard
  zone: string
  now: InstantLike
  /** Takes them off the list. */
  heart: ReactNode
  /** Chooses them for a comparison. */
  choice: ReactNode
}) {
  const id = useId()
  const { full_name: name, provider_types, experience, min_fee, max_fee } = practitioner
  return (
    <Card
      as="article"
      aria-labelledby={id}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-4 gap-y-3 sm:gap-x-6"
    >
      <Portrait
        name={name}
        image={practitioner.profile_image}
        size={96}
        shape="arch"
        className="max-sm:!size-16"
      />
      <div className="flex min-w-0 flex-col gap-1">
        <h2 id={id} className="text-xl">
          <TextLink to={profilePath(practitioner.practitioner_id)} tone="plain">
            {name}
          </TextLink>
        </h2>
        <p className="text-sm text-soft">
          {provider_types.join(', ')} · {experienceLabel(experience)}
        </p>
        <Rating
          value={practitioner.reviews_total > 0 ? practitioner.reviews_rating : null}
          total={practitioner.reviews_total}
        />
      </div>
      <div className="-mt-2 -mr-2">{heart}</div>
      <div className="col-span-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t border-line pt-2 sm:col-span-2 sm:col-start-2">
        <NextFree
          next={practitioner.next_available}
          waitlist={practitioner.waitlist}
          zone={zone}
          now={now}
          className="text-sm"
        />
        <p>
          <PriceRange min={poundsToPence(min_fee)} max={poundsToPence(max_fee)} className="font-semibold" />{' '}
          <span className="text-sm text-soft">a session</span>
        </p>
        <div className="w-full">{choice}</div>
      </div>
    </Card>
  )
}
