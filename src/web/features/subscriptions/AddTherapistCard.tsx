import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode } from 'react'
import type { TherapistCard } from '#contract/subscriptions/subscriptions.ts'
import { formatPounds } from '#web/lib/money.ts'
import { AddCardScreen, type CardSlot } from '#web/ui/AddCardScreen.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { useSubscribe, useTherapistCard } from './subscribe.ts'
import { cardQuery, subscriptionQuery } from './subscription-queries.ts'
import { usePayment } from './use-payment.ts'

type Form = CardSlot<TherapistCard> & { rememberLabel: string; rememberNote: string } & ReturnType<
    typeof useTherapistCard
  >

type Props = {
  /** Only saves the card, without a subscription. */
  isCardOnly: boolean
  renderForm(form: Form): ReactNode
  /** The card is saved, and the subscription payment that it was added for has gone through. */
  onDone(): void
}

/** Saves the practitioner's card, in the place of the one before, and subscribes with it. */
export function AddTherapistCard({ isCardOnly, renderForm, onDone }: Props) {
  const client = useQueryClient()
  const { data: standing } = useQuery(subscriptionQuery())
  const payment = usePayment('subscription', onDone)
  const subscription = standing?.subscription
  const subscribes = !isCardOnly && (!standing || !subscription || subscription.status === 'past_due')
  const { unlessCancelled } = useSubscribe()
  const card = useTherapistCard()

  function pay(saved: TherapistCard): void {
    client.setQueryData(cardQuery().queryKey, saved)
    if (isCardOnly) {
      showToast('Your card is saved.')
      onDone()
    } else payment.pay(unlessCancelled)
  }
  return (
    <AddCardScreen
      payment={payment}
      submitLabel={
        subscription?.status === 'past_due'
          ? `Save card and pay ${formatPounds(subscription.price)}`
          : subscribes
            ? 'Save card and subscribe'
            : 'Save card'
      }
      retryLabel={() => 'Try again with this card'}
      retriesDeclined
      onPay={pay}
      renderForm={(slot) =>
        renderForm({
          ...slot,
          ...card,
          rememberLabel: 'Remember the card for my subscription',
          rememberNote:
            'You pay us with a saved card, so please tick this to go on. Nothing is sent until you do.',
        })
      }
      renderProblem={(error, retry) => (
        <ErrorAlert
          title={
            subscription?.status === 'past_due'
              ? 'Your card is saved, but nothing has been paid yet'
              : 'Your card is saved, but you are not subscribed yet'
          }
          error={error}
          actions={retry}
        />
      )}
    />
  )
}
