import type { ReactNode } from 'react'
import type { DashboardOverview } from '#contract/practitioners/dashboard.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { Rating } from '#web/ui/Rating.tsx'
import { Section } from '#web/ui/Section.tsx'

/**
 * How clients come across the profile and what they say. What is not known yet is said to be, never made up. A new
 * practitioner, whom clients cannot find yet, sees enquiries alone.
 */
export function Figures({ overview, isNew = false }: { overview: DashboardOverview; isNew?: boolean }) {
  const { profile_views: views, reviews, enquiries_count: enquiries, response_minutes: response } = overview
  return (
    <Section title="How clients find you" isCard className="flex flex-col gap-4">
      <dl className="flex flex-col gap-4">
        {!isNew && (
          <>
            <Figure name="Rating">
              <Rating value={reviews.rating} total={reviews.total} />
              {reviews.total > 0 && (
                <TextLink to="/therapist/reviews" className="tappable">
                  See your reviews
                </TextLink>
              )}
            </Figure>
            <Figure name="Views of your profile">
              <span className="font-serif text-xl tabular-nums">{views.last_30_days}</span>
              <span className="text-sm text-soft">In the last 30 days</span>
            </Figure>
          </>
        )}
        <Figure name="Enquiries">
          <span className="font-serif text-xl tabular-nums">{enquiries}</span>
          <span className="text-sm text-soft">
            {isNew && enquiries === 0
              ? 'Clients can write to you once they can find your profile'
              : 'Clients who have written to you'}
          </span>
        </Figure>
        {response !== null && (
          <Figure name="Usual time to a first answer">
            <span className="font-serif text-xl tabular-nums">{responseLabel(response)}</span>
          </Figure>
        )}
      </dl>
    </Section>
  )
}

function responseLabel(minutes: number): string {
  if (minutes < 1) return 'Under a minute'
  if (minutes < 60) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  const hours = Math.round(minutes / 60)
  return `${hours} ${hours === 1 ? 'hour' : 'hours'}`
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="flex flex-wrap items-center gap-x-4 gap-y-1">{children}</dd>
    </div>
  )
}
