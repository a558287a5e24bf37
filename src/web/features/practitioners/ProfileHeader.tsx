import { IconShieldCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { poundsToPence } from '#web/lib/money.ts'
import { type InstantLike, zoneNote } from '#web/lib/time.ts'
import { Portrait } from '#web/ui/Portrait.tsx'
import { PriceRange } from '#web/ui/Price.tsx'
import { Rating } from '#web/ui/Rating.tsx'
import { experienceLabel } from './experience.ts'
import { nextFree } from './free-time.ts'
import { NextFree } from './NextFree.tsx'
import type { ShownProfile } from './shown-profile.ts'

/** Who this is, at a glance; the page's h1 unless said otherwise. */
export function ProfileHeader({
  profile,
  zone,
  now,
  level = 1,
  actions,
  heart,
}: {
  profile: ShownProfile
  zone: string
  now: InstantLike
  level?: 1 | 2
  /** What one can do beside booking. */
  actions?: ReactNode
  /** Beside the name: one button of 44 pixels. */
  heart?: ReactNode
}) {
  const { full_name: name, title, reviews_total, timezone } = profile
  const free = profile.next_available && nextFree(profile.next_available)
  const note = free && zoneNote(free.startsAt, zone, timezone)
  const Title = `h${level}` as const
  return (
    <header className="grid grid-cols-1 gap-x-8 gap-y-5 pt-4 sm:grid-cols-[auto_1fr] sm:pt-6">
      <Portrait
        name={name}
        alt={name}
        image={profile.profile_image}
        size={176}
        shape="arch"
        className="max-sm:!size-32"
      />
      <div className="flex min-w-0 flex-col gap-2.5">
        <div>
          <div className="flex items-start justify-between gap-3">
            <Title className="min-w-0 text-3xl">{title ? `${title.replace(/\.$/, '')} ${name}` : name}</Title>
            {heart}
          </div>
          <p className="mt-1 text-lg text-soft">{profile.provider_types.join(', ')}</p>
          <p className="text-soft">{experienceLabel(profile.experience)}</p>
        </div>
        {profile.next_available && (
          <div>
            <NextFree next={profile.next_available} waitlist={profile.waitlist} zone={zone} now={now} />
            {note && <p className="text-sm text-soft">Times are in {note}.</p>}
          </div>
        )}
        <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
          {reviews_total > 0 ? (
            <a
              href="#reviews"
              className="flex min-h-9 items-center rounded-sm underline-offset-4 hover:underline"
            >
              <Rating value={profile.reviews_rating} total={reviews_total} />
            </a>
          ) : (
            <Rating value={null} />
          )}
          <p>
            <PriceRange
              min={poundsToPence(profile.min_fee)}
              max={poundsToPence(profile.max_fee)}
              className="font-semibold"
            />{' '}
            <span className="text-sm text-soft">a session</span>
          </p>
        </div>
        {profile.works_with_insurance && (
          <p className="flex items-center gap-2 text-sm">
            <IconShieldCheck aria-hidden size={20} className="shrink-0 text-action" />
            Therapist works with insurance
          </p>
        )}
        {actions && <div className="mt-1 flex flex-wrap gap-3">{actions}</div>}
      </div>
    </header>
  )
}
