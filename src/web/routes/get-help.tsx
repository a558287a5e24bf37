import { redirect, useNavigate, useSearchParams } from 'react-router'
import { Description } from '#web/features/get-help/Description.tsx'
import { helpStepPath, issueIdOf } from '#web/features/get-help/help-paths.ts'
import { HelpFrame } from '#web/features/get-help/HelpFrame.tsx'
import { IssueList } from '#web/features/get-help/IssueList.tsx'
import { type HelpIssue, IssuePage } from '#web/features/get-help/IssuePage.tsx'
import { SafetyGate, SafetyQuestion } from '#web/features/get-help/SafetyGate.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import { withReturnPath } from '#web/lib/return-to.ts'
import { serverApi } from '#web/lib/server-api.ts'
import { readSession } from '#web/lib/session.ts'
import { pageTitle } from '#web/lib/site.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Looking } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import type { Route } from './+types/get-help.ts'

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: pageTitle('Get help right now'),
    description:
      'A 15-minute online session with the first available therapist, for a fixed £25. If nobody is available, you get your money back. Not an emergency service.',
  })

export function loader({ context, request }: Route.LoaderArgs) {
  return serverApi(context)('GET /issue/get-issues', { signal: request.signal })
}

/** A page for clients and visitors, as all of the client's. */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  if (readSession().role === 'therapist') throw redirect(withReturnPath('/sign-in', new URL(request.url)))
  return serverLoader()
}
clientLoader.hydrate = true as const

/** The issues change with a release at most; a step is none. */
export const shouldRevalidate = () => false

/** `?step=` and `?issueId=` say where one is, so that the browser's way back works. */
export default function GetHelp({ loaderData: issues }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const step = search.get('step')
  if (search.has('issueId')) {
    return (
      <SafetyGate>
        <OneIssue issue={issues.find(({ issue_id }) => issue_id === issueIdOf(search))} />
      </SafetyGate>
    )
  }
  if (step === 'description') {
    return (
      <SafetyGate>
        <HelpFrame
          step="description"
          title="Talk to someone in minutes"
          lead="What you get, and what it costs."
          here="How it works"
        >
          <Description />
        </HelpFrame>
      </SafetyGate>
    )
  }
  if (step === 'issues') {
    return (
      <SafetyGate>
        <HelpFrame
          step="issues"
          title="Get help right now"
          lead="£25 for 15 minutes, whatever it is about."
          here="What it is about"
          numbers="above"
        >
          <IssueList issues={issues} />
        </HelpFrame>
      </SafetyGate>
    )
  }
  return (
    <SafetyQuestion onSafe={() => void navigate(helpStepPath('description'), { preventScrollReset: true })} />
  )
}

function OneIssue({ issue }: { issue: HelpIssue | undefined }) {
  if (!issue) {
    return (
      <HelpFrame step="unknown issue" title="Get help right now" here="Not found">
        <EmptyState
          title="We cannot find this issue"
          illustration={<Looking className="w-44" />}
          actions={<ButtonLink to={helpStepPath('issues')}>See all issues</ButtonLink>}
        >
          <p>The address may be mistyped. Nothing of yours is lost.</p>
        </EmptyState>
      </HelpFrame>
    )
  }
  return (
    <HelpFrame
      step={`issue ${issue.issue_id}`}
      title={issue.issue_name}
      lead={issue.description}
      here={issue.issue_name}
    >
      <IssuePage issue={issue} />
    </HelpFrame>
  )
}
