import { IconCreditCard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Card } from '#web/ui/Card.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { addCardPath, cardLabel } from './billing-labels.ts'
import { cardQuery } from './subscription-queries.ts'

/** The card that the platform is paid with, and the way to change it. */
export function PaymentAccount() {
  const card = useQuery(cardQuery())
  return (
    <Card as="section" aria-labelledby="payment-account" className="flex flex-col gap-4">
      <div className="flex gap-4">
        <IconCreditCard aria-hidden size={32} stroke={1.5} className="mt-0.5 shrink-0 text-action" />
        <div className="min-w-0 grow">
          <h2 id="payment-account" className="text-xl">
            Payment account
          </h2>
          {card.data !== undefined ? (
            <p className="mt-1 text-soft">
              {card.data ? cardLabel(card.data) : 'No card is saved yet. Your subscription needs one.'}
            </p>
          ) : card.error ? (
            <QueryErrorAlert
              query={card}
              tone="warning"
              live="polite"
              title="Your card could not be checked"
              className="mt-2"
            />
          ) : (
            <Loading label="Loading your card" skeleton="mt-2 h-6 w-56" />
          )}
        </div>
      </div>
      <div>
        <ButtonLink to={addCardPath} variant="secondary">
          Update
        </ButtonLink>
      </div>
    </Card>
  )
}
