import { useNavigate, useSearchParams } from 'react-router'
import { AddCardToPay } from '#web/features/bookings/AddCardToPay.tsx'
import { BookingLoading } from '#web/features/bookings/BookingPage.tsx'
import { CardForm, saveClientCard } from '#web/features/payments/CardForm.tsx'
import { CardPromises } from '#web/features/payments/CardPromises.tsx'
import { cardName } from '#web/features/payments/card-names.ts'
import { useSavedCards } from '#web/features/payments/use-saved-cards.ts'
import { requireClient } from '#web/lib/guard.ts'
import { safeReturnPath } from '#web/lib/return-to.ts'
import { pageTitle } from '#web/lib/site.ts'
import { Card } from '#web/ui/Card.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import type { Route } from './+types/add-card.ts'

export const meta = () => [{ title: pageTitle('Adding new card') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireClient(request)
  return null
}

export function HydrateFallback() {
  return (
    <div className="page">
      <PageHeading title="Adding new card" />
      <BookingLoading />
    </div>
  )
}

/**
 * `?session&price&process`: adds a card and pays that session with it; the price is read from the session. Without a
 * session the card is saved alone, and one goes back to `return_to`.
 */
export default function AddCard() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const saved = useSavedCards()
  const sessionId = search.get('session')
  return (
    <div className="page">
      <PageHeading
        title="Adding new card"
        lead={sessionId ? undefined : 'It is saved for the sessions that you book. Nothing is charged now.'}
      />
      {sessionId ? (
        <AddCardToPay
          sessionId={sessionId}
          renderForm={({ submitLabel, isBusy, onSaved }) => (
            <CardForm
              save={saveClientCard}
              submitLabel={submitLabel}
              isBusy={isBusy}
              onSaved={(card) => {
                saved.add(card)
                onSaved({ customer_id: card.customer_id, name: cardName(card) })
              }}
            />
          )}
        />
      ) : (
        <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12">
          <Card>
            <CardForm
              save={saveClientCard}
              submitLabel="Add card"
              onSaved={(card) => {
                saved.add(card)
                showToast(`${cardName(card)} is saved.`)
                void navigate(safeReturnPath(search.get('return_to'), '/my-sessions'), { replace: true })
              }}
            />
          </Card>
          <CardPromises />
        </div>
      )}
    </div>
  )
}
