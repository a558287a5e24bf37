import type { ReactNode } from 'react'
import { useHydrated } from '#web/lib/hydrated.ts'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { DangerStep, dangerHeading } from './DangerStep.tsx'
import { HelpFrame, loadingStep } from './HelpFrame.tsx'
import { useSafety } from './safety.ts'
import { SafetyStep, safetyHeading } from './SafetyStep.tsx'

/**
 * Shows the question about danger before every page of "Get help right now" until the answer is no. The answer never
 * leaves the browser.
 */
export function SafetyGate({ children }: { children: ReactNode }) {
  const isHydrated = useHydrated()
  const answer = useSafety()
  if (!isHydrated) return <HelpLoading />
  if (answer === 'safe') return children
  return <SafetyQuestion />
}

/** The question, or, after a yes, whom to call. */
export function SafetyQuestion({ onSafe }: { onSafe?(): void }) {
  const isDanger = useSafety() === 'danger'
  return (
    <HelpFrame
      step={isDanger ? 'danger' : 'safety'}
      {...(isDanger ? dangerHeading : safetyHeading)}
      numbers="own"
    >
      {isDanger ? <DangerStep /> : <SafetyStep onSafe={onSafe} />}
    </HelpFrame>
  )
}

/** Until it is known where one stands. The numbers are there already. */
export function HelpLoading({ here }: { here?: string }) {
  return (
    <HelpFrame step={loadingStep} title="Get help right now" here={here}>
      <Loading label="Loading" className="flex flex-col gap-4">
        <Skeleton className="h-24" />
        <Skeleton className="h-24" />
        <Skeleton className="h-12 w-48 rounded-full" />
      </Loading>
    </HelpFrame>
  )
}
