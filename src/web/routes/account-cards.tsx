import { lazy, Suspense } from 'react'
import { SavedCards, SavedCardsLoading } from '#web/features/payments/SavedCards.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'

const CardSeries = lazy(() => import('#web/features/series/CardSeries.tsx'))

export const meta = () => [{ title: pageTitle('Saved cards') }]

export const clientLoader = () => null

const heading = (
  <PageHeading
    above={<Breadcrumbs items={[{ label: 'Account', to: '/account' }, { label: 'Saved cards' }]} />}
    title="Saved cards"
    lead="The cards you pay for sessions with."
  />
)

export function HydrateFallback() {
  return (
    <div className="page max-w-2xl">
      {heading}
      <SavedCardsLoading />
    </div>
  )
}

export default function AccountCards() {
  return (
    <div className="page max-w-2xl">
      {heading}
      <SavedCards
        addPath="/add-card?return_to=%2Faccount%2Fcards"
        renderUses={(card) => (
          <Suspense>
            <CardSeries card={card} />
          </Suspense>
        )}
      />
    </div>
  )
}
