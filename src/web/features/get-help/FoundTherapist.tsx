import type { ReactNode } from 'react'
import type { HelpPractitioner } from '#contract/get-help/help-dispatch.ts'
import { Card } from '#web/ui/Card.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { Rating } from '#web/ui/Rating.tsx'
import { Tags } from '#web/ui/Tags.tsx'

/** The practitioner who was found, is asked or has accepted: portrait and name first. */
export function FoundTherapist({
  practitioner,
  children,
}: {
  practitioner: HelpPractitioner
  children?: ReactNode
}) {
  const { full_name, provider_types, experience, profile_image, issue } = practitioner
  return (
    <Card as="section" aria-labelledby="therapist" className="flex flex-col gap-5">
      <div className="flex items-center gap-4 sm:gap-6">
        <Portrait name={full_name} image={profile_image} size={96} shape="arch" />
        <div className="min-w-0">
          <h2 id="therapist" className="text-2xl">
            {full_name}
          </h2>
          <p className="text-soft">{provider_types.join(', ')}</p>
          <p className="text-soft">{yearsLabel(experience)}</p>
          <Rating value={practitioner.reviews_rating} total={practitioner.reviews_total} />
        </div>
      </div>
      {issue.length > 0 && <Tags items={issue.map(({ issue_name }) => issue_name)} max={6} />}
      {children}
    </Card>
  )
}

function yearsLabel(years: number): string {
  if (years < 1) return 'In the first year of practice'
  return `${years} ${years === 1 ? 'year' : 'years'} of experience`
}
