import { useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Section } from '#web/ui/Section.tsx'
import { helpSearchPath } from './help-paths.ts'

/** As `GET /issue/get-issues` returns them. */
export type HelpIssue = { issue_id: number; issue_name: string; description: string }

const details = [
  { name: 'Service', value: 'Get help right now' },
  { name: 'Duration', value: '15 Minutes' },
  { name: 'Price', value: '£25' },
]

/** What the session for one issue is, and the way to the search. */
export function IssuePage({ issue }: { issue: HelpIssue }) {
  const session = useSession()
  return (
    <>
      <Section title="Session details" isCard className="flex flex-col gap-4">
        <dl className="flex flex-col gap-2">
          {details.map(({ name, value }) => (
            <div key={name} className="flex items-baseline justify-between gap-4">
              <dt className="text-soft">{name}</dt>
              <dd className="text-right font-semibold tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <div className="flex flex-col gap-3 sm:items-start">
        <ButtonLink to={helpSearchPath(issue.issue_id)}>Search available Therapist</ButtonLink>
        <p className="text-sm text-soft">
          Searching costs nothing.
          {session.role === 'anonymous' && ' You log in first, and come back to this step.'}
        </p>
      </div>
    </>
  )
}
