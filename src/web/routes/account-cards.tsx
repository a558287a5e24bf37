import { lazy, Suspense } from 'react'
import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import { SavedCards, SavedCardsLoading } from '#web/features/payments/SavedCards.tsx'
import { pageTitle } from '#web/lib/site.ts'

const CardSeries = lazy(() => import('#web/features/series/CardSeries.tsx'))

export const meta = () => [{ title: pageTitle('Saved cards') }]

export const clientLoader = () => null

const texts = { title: 'Saved cards', lead: 'The cards you pay for sessions with.' }

export function HydrateFallback() {
  return (
    <AccountPart {...texts}>
      <SavedCardsLoading />
    </AccountPart>
  )
}

export default function AccountCards() {
  return (
    <AccountPart {...texts}>
      <SavedCards
        addPath="/add-card?return_to=%2Faccount%2Fcards"
        renderUses={(card) => (
          <Suspense>
            <CardSeries card={card} />
          </Suspense>
        )}
      />
    </AccountPart>
  )
}
