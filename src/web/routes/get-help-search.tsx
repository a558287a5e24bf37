import { Navigate, useSearchParams } from 'react-router'
import { helpStepPath, issueIdOf } from '#web/features/get-help/help-paths.ts'
import { HelpSearch } from '#web/features/get-help/HelpSearch.tsx'
import { HelpLoading, SafetyGate } from '#web/features/get-help/SafetyGate.tsx'
import { CardChoice } from '#web/features/payments/CardChoice.tsx'
import { useSavedCards } from '#web/features/payments/use-saved-cards.ts'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('Your Therapist') }]

export const clientLoader = () => null

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
