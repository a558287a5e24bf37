import { Link } from 'react-router'
import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import { poundsToPence } from '#web/lib/money.ts'
import { Portrait } from '#web/ui/Portrait.tsx'
import { PriceRange } from '#web/ui/Price.tsx'
import { profilePath } from '#web/lib/profile-path.ts'

/** The fields of a practitioner that a line of similar ones shows. */
export type SimilarPractitioner = Pick<
  PractitionerCard,
  'id' | 'full_name' | 'provider_types' | 'profile_image' | 'min_fee' | 'max_fee'
>

/** Others who treat the same in a like way, at the end of a profile. */
export function SimilarPractitioners({ people }: { people: readonly SimilarPractitioner[] }) {
  if (people.length === 0) return null
  return (
    <section aria-labelledby="similar-title" className="mt-12 border-t border-line pt-8">
      <h2 id="similar-title" className="text-2xl">
        Similar practitioners
      </h2>
      <ul className="mt-4 grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {people.map(({ id, full_name: name, provider_types, profile_image, min_fee, max_fee }) => (
          <li key={id}>
            <Link
              to={profilePath(id)}
              className="flex h-full items-center gap-4 rounded-xl border border-line bg-surface p-4 no-underline shadow-low transition-shadow hover:shadow-mid"
            >
              <Portrait name={name} image={profile_image} size={72} shape="arch" isLazy />
              <span className="flex min-w-0 flex-col gap-0.5">
                <span className="font-serif text-lg leading-snug text-ink">{name}</span>
                <span className="text-sm text-soft">{provider_types.join(', ')}</span>
                <span className="text-sm">
                  <PriceRange
                    min={poundsToPence(min_fee)}
                    max={poundsToPence(max_fee)}
                    className="font-semibold"
                  />{' '}
                  a session
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
