import { useLocation } from 'react-router'
import type { PractitionerProfile } from '#contract/practitioners/practitioners.ts'
import { experienceLabel } from '#web/features/practitioners/experience.ts'
import { NextFree } from '#web/features/practitioners/NextFree.tsx'
import { profilePath } from '#web/lib/profile-path.ts'
import { comparedOf } from '#web/features/shortlist/compared.ts'
import { type ComparedFact, Comparison } from '#web/features/shortlist/Comparison.tsx'
import { HeartButton } from '#web/features/shortlist/HeartButton.tsx'
import { serverNow } from '#web/lib/clock.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { poundsToPence } from '#web/lib/money.ts'
import { pageTitle } from '#web/lib/site.ts'
import { zoneNote } from '#web/lib/time.ts'
import { pageZone, useViewerZone } from '#web/lib/viewer-zone.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { PriceRange } from '#web/ui/Price.tsx'
import { Rating } from '#web/ui/Rating.tsx'

export const meta = () => [{ title: pageTitle('Side by side') }, { name: 'robots', content: 'noindex' }]

/** Whom it compares stands in the history entry, so that no address names them. */
export default function ShortlistCompare() {
  const { state } = useLocation()
  const zone = useViewerZone()
  const isAlive = useHydrated()
  const note = zoneNote(serverNow(), zone, pageZone)
  return (
    <Comparison
      zoneNote={note && `Times are in ${note}.`}
      ids={isAlive ? comparedOf(state) : []}
      facts={factsIn(zone)}
      renderPerson={(person) => (
        <div className="flex flex-col gap-2">
          <div className="flex items-start justify-between gap-1">
            <Portrait
              name={person.full_name}
              image={person.profile_image}
              size={112}
              shape="arch"
              className="max-sm:!size-20"
            />
            <HeartButton practitionerId={person.id} name={person.full_name} />
          </div>
          <span className="font-serif text-xl">{person.full_name}</span>
        </div>
      )}
      renderActions={(person) => (
        <ButtonLink to={profilePath(person.id)} variant="secondary" fullWidth>
          See profile<span className="sr-only"> of {person.full_name}</span>
        </ButtonLink>
      )}
    />
  )
}

const list = (names: readonly string[]) => (names.length > 0 ? names.join(', ') : '–')

function factsIn(zone: string): ComparedFact[] {
  return [
    {
      name: 'A session costs',
      of: ({ min_fee, max_fee }) => (
        <PriceRange min={poundsToPence(min_fee)} max={poundsToPence(max_fee)} className="font-semibold" />
      ),
    },
    {
      name: 'Next free time',
      of: ({ next_available, waitlist }) => (
        <NextFree next={next_available} waitlist={waitlist} zone={zone} now={serverNow()} />
      ),
    },
    { name: 'Where', of: places },
    {
      name: 'Reviews',
      of: ({ reviews_rating, reviews_total }) => <Rating value={reviews_rating} total={reviews_total} />,
    },
    {
      name: 'Profession',
      of: ({ provider_types, experience }) => `${provider_types.join(', ')}. ${experienceLabel(experience)}.`,
    },
    { name: 'Helps with', of: ({ issues }) => list(issues.map(({ issue_name }) => issue_name)) },
    {
      name: 'Approaches',
      of: ({ therapist_approaches }) =>
        list(therapist_approaches.map(({ therapy_type_name }) => therapy_type_name)),
    },
    { name: 'Languages', of: ({ languages_list }) => list(languages_list) },
    { name: 'Sees', of: ({ age_groups }) => list(age_groups) },
    { name: 'Works with insurance', of: ({ works_with_insurance }) => (works_with_insurance ? 'Yes' : 'No') },
  ]
}

function places({ session_types, cities }: PractitionerProfile): string {
  const rooms = cities.length > 0 ? `face to face in ${cities.join(' and ')}` : 'face to face'
  const words = session_types.map((type) => (type === 'online' ? 'online' : rooms)).join(' and ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
