import type { ComponentProps } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { AddCardToPay } from '#web/features/bookings/AddCardToPay.tsx'
import { BookingLoading } from '#web/features/bookings/BookingPage.tsx'
import { AddCardForHelp } from '#web/features/get-help/AddCardForHelp.tsx'
import { helpAddCardOfSession, helpProcess } from '#web/features/get-help/help-paths.ts'
import { SafetyGate } from '#web/features/get-help/SafetyGate.tsx'
import { CardForm, useClientCard } from '#web/features/payments/CardForm.tsx'
import { CardPromises } from '#web/features/payments/CardPromises.tsx'
import { cardName } from '#web/lib/card-names.ts'
import { useSavedCards } from '#web/features/payments/use-saved-cards.ts'
import { safeReturnPath } from '#web/lib/return-to.ts'
import { pageTitle } from '#web/lib/site.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { Card } from '#web/ui/Card.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { showToast } from '#web/ui/Toast.tsx'

export const meta = () => [{ title: pageTitle('Adding new card') }]

export const clientLoader = () => null

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
  const sessionId = search.get('session')
  if (!sessionId) return <CardAlone returnTo={search.get('return_to')} />
  return search.get('process') === helpProcess ? (
    <CardForHelp sessionId={sessionId} />
  ) : (
    <CardForBooking sessionId={sessionId} offerId={search.get('offer') ?? undefined} />
  )
}

function CardForBooking({ sessionId, offerId }: { sessionId: string; offerId: string | undefined }) {
  const renderForm = useCardForm()
  return (
    <div className="page">
      <PageHeading title="Adding new card" />
      <AddCardToPay
        sessionId={sessionId}
        offerId={offerId}
        helpInstead={<Navigate to={helpAddCardOfSession(sessionId)} replace />}
        renderForm={renderForm}
      />
    </div>
  )
}

/** Help right now is never paid for before the question about danger is answered. */
function CardForHelp({ sessionId }: { sessionId: string }) {
  const renderForm = useCardForm()
  return (
    <SafetyGate>
      <AddCardForHelp sessionId={sessionId} renderForm={renderForm} />
    </SafetyGate>
  )
}

type FormOf = Parameters<ComponentProps<typeof AddCardToPay>['renderForm']>[0]

/** The form of a card that pays for something as soon as it is saved. */
function useCardForm() {
  const saved = useSavedCards()
  const clientCard = useClientCard()
  return ({ submitLabel, onceLabel, isBusy, onSaved }: FormOf) => (
    <CardForm
      {...clientCard}
      submitLabel={submitLabel}
      onceLabel={onceLabel}
      isBusy={isBusy}
      onSaved={(card, { isRemembered }) => {
        if (isRemembered) saved.add(card)
        onSaved({ customer_id: card.customer_id, name: cardName(card) })
      }}
    />
  )
}

function CardAlone({ returnTo }: { returnTo: string | null }) {
  const navigate = useLateNavigate()
  const saved = useSavedCards()
  const clientCard = useClientCard()
  return (
    <div className="page">
      <PageHeading
        title="Adding new card"
        lead="It is saved for sessions you book. Nothing is charged now."
      />
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12">
        <Card>
          <CardForm
            {...clientCard}
            submitLabel="Add card"
            onSaved={(card) => {
              saved.add(card)
              showToast(`${cardName(card)} is saved.`)
              void navigate(safeReturnPath(returnTo, '/my-sessions'), { replace: true })
            }}
          />
        </Card>
        <CardPromises />
      </div>
    </div>
  )
}
