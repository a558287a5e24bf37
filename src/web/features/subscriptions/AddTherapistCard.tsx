import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { TherapistCard } from '#contract/subscriptions/subscriptions.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { formatPounds } from '#web/lib/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { PaymentCheck } from './PaymentCheck.tsx'
import { beginTherapistCard, saveTherapistCard, subscribeUnlessCancelled } from './subscribe.ts'
import { cardQuery, subscriptionQuery } from './subscription-queries.ts'
import { usePayment } from './use-payment.ts'

type Form = {
  submitLabel: string
  rememberNote: string
  isBusy: boolean
  begin: typeof beginTherapistCard
  save: typeof saveTherapistCard
  onSaved(card: TherapistCard): void
}

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
  const [saved, setSaved] = useState<TherapistCard>()
  const payment = usePayment('subscription', onDone)
  const subscription = standing?.subscription
  const subscribes = !isCardOnly && (!standing || !subscription || subscription.status === 'past_due')
  const isPaying = payment.step !== 'idle'
  const isShown = payment.error !== undefined && payment.step === 'idle'
  return (
    <Card as="section" className="flex flex-col gap-5">
      {isShown && saved && (
        <Alert
          tone="danger"
          live="assertive"
          title={
            subscription?.status === 'past_due'
              ? 'Your card is saved, and nothing is paid yet'
              : 'Your card is saved, and you are not subscribed yet'
          }
          actions={
            <Button
              size="small"
              variant="secondary"
              isPending={isPaying}
              onPress={() => payment.run(subscribeUnlessCancelled)}
            >
              Try again with this card
            </Button>
          }
        >
          {messageOf(payment.error)}
        </Alert>
      )}
      {renderForm({
        submitLabel:
          subscription?.status === 'past_due'
            ? `Save card and pay ${formatPounds(subscription.price)}`
            : subscribes
              ? 'Save card and subscribe'
              : 'Save card',
        rememberNote:
          'What you pay us is paid with a saved card, so it takes this tick to go on. Without it nothing is sent.',
        isBusy: isPaying,
        begin: beginTherapistCard,
        save: saveTherapistCard,
        onSaved(card) {
          setSaved(card)
          client.setQueryData(cardQuery().queryKey, card)
          if (isCardOnly) {
            showToast('Your card is saved.')
            onDone()
          } else payment.run(subscribeUnlessCancelled)
        },
      })}
      <PaymentCheck payment={payment} />
    </Card>
  )
}
