import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { CardForm } from '#web/features/payments/CardForm.tsx'
import { AddTherapistCard } from '#web/features/subscriptions/AddTherapistCard.tsx'
import { isDue, subscriptionQuery } from '#web/features/subscriptions/subscription-queries.ts'
import { SubscriptionPromises } from '#web/features/subscriptions/SubscriptionPromises.tsx'
import { formatPounds } from '#web/lib/money.ts'
import { safeReturnPath } from '#web/lib/return-to.ts'
import { pageTitle } from '#web/lib/site.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'

export const meta = () => [{ title: pageTitle('Adding new card') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page">
      <PageHeading title="Adding new card" />
      <Loading label="Loading the card form" className="max-w-2xl" skeleton="h-96 rounded-xl" />
    </div>
  )
}

const dashboard = '/therapist/dashboard'

/**
 * Subscribes with the saved card, or with a new one that takes its place. `?only=card` saves a card and subscribes to nothing;
 * `?return_to=` is where one goes on afterwards.
 */
export default function TherapistAddCard() {
  const [search] = useSearchParams()
  const navigate = useLateNavigate()
  const { data: standing } = useQuery(subscriptionQuery())
  const isCardOnly = search.get('only') === 'card'
  return (
    <div className="page">
      <PageHeading
        title="Adding new card"
        lead={
          isCardOnly
            ? `${isDue(standing?.subscription) ? 'What is due for your subscription is charged to it.' : 'Nothing is charged now.'} One card is in use at a time: a new card replaces the old one.`
            : `It pays for your subscription${standing ? `, which costs ${formatPounds(standing.price)} a month` : ''}. One card is in use at a time: a new one takes the place of the one before.`
        }
      />
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12">
        <AddTherapistCard
          isCardOnly={isCardOnly}
          renderForm={(form) => <CardForm {...form} />}
          onDone={() => void navigate(safeReturnPath(search.get('return_to'), dashboard), { replace: true })}
        />
        {!isCardOnly && <SubscriptionPromises price={standing ? formatPounds(standing.price) : undefined} />}
      </div>
    </div>
  )
}
