import { Navigate, useSearchParams } from 'react-router'
import { helpStepPath, issueIdOf } from '#web/features/get-help/help-paths.ts'
import { HelpSearch } from '#web/features/get-help/HelpSearch.tsx'
import { HelpLoading, SafetyGate } from '#web/features/get-help/SafetyGate.tsx'
import { CardChoice } from '#web/features/payments/CardChoice.tsx'
import { useSavedCards } from '#web/features/payments/use-saved-cards.ts'
import { requireClient } from '#web/lib/guard.ts'
import { pageTitle } from '#web/lib/site.ts'
import type { Route } from './+types/get-help-search.ts'

export const meta = () => [{ title: pageTitle('Your Therapist') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireClient(request)
  return null
}

export function HydrateFallback() {
  return <HelpLoading here="Booking" />
}

/** `?issueId`: who is free for it now, and the payment. Never before the question about danger is answered. */
export default function GetHelpSearch() {
  const [search] = useSearchParams()
  const issueId = issueIdOf(search)
  if (issueId === undefined) return <Navigate to={helpStepPath('issues')} replace />
  return (
    <SafetyGate>
      <SearchWithCards key={issueId} issueId={issueId} />
    </SafetyGate>
  )
}

function SearchWithCards({ issueId }: { issueId: number }) {
  const saved = useSavedCards()
  return (
    <HelpSearch
      issueId={issueId}
      cards={{
        chosenId: saved.chosen?.customer_id,
        isLoading: saved.cards === undefined && !saved.error,
        hasNone: saved.cards?.length === 0,
        choice: <CardChoice saved={saved} />,
      }}
    />
  )
}
