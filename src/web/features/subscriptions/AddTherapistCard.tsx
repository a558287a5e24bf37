import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { TherapistCard } from '#contract/subscriptions/subscriptions.ts'
import { isExpired } from '#web/lib/card-names.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatPounds } from '#web/lib/money.ts'
import { AddCardScreen, type CardSlot } from '#web/ui/AddCardScreen.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { Section } from '#web/ui/Section.tsx'
import { cardLabel } from './billing-labels.ts'
import { useSubscribe, useTherapistCard } from './subscribe.ts'
import { cardQuery, isDue, subscriptionQuery } from './subscription-queries.ts'
import { isOtherNow, usePayment } from './use-payment.ts'

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

/** Subscribes with the saved card, or with a new one that takes its place. */
export function AddTherapistCard({ isCardOnly, renderForm, onDone }: Props) {
  const client = useQueryClient()
  const query = useQuery(subscriptionQuery())
  const { data: standing, isLoading } = query
  const payment = usePayment('subscription', onDone)
  const subscription = standing?.subscription
  const isPastDue = isDue(subscription)
  const subscribes = !isCardOnly && (!subscription || isPastDue)
  const { payPastDue, withCard } = useSubscribe()
  const card = useTherapistCard({ chargesDue: isCardOnly && isPastDue })
  /** A card saved on this page is tried again from its form. */
  const [isReplaced, setReplaced] = useState(false)
  const saved = useQuery({ ...cardQuery(), enabled: !isCardOnly })
  const isSavedOffered = !isCardOnly && standing?.subscription === null && !isReplaced
  const offered = isSavedOffered && saved.data && !isExpired(saved.data, serverNow()) ? saved.data : undefined

  /** What the button named: a subscription shown may have been cancelled meanwhile, and no other begins in its place. */
  function pay(added: TherapistCard): void {
    setReplaced(true)
    client.setQueryData(cardQuery().queryKey, added)
    if (!subscribes) {
      showToast('Your card is saved.')
      void client.invalidateQueries()
      onDone()
    } else payment.pay(() => (isPastDue ? payPastDue : withCard)(added.payment_method_id))
  }
  if (isLoading || saved.isLoading) {
    return <Loading label="Loading your card" skeleton="h-96 rounded-xl" />
  }
  // Of one that is not known, no button says what it would do.
  if (!isCardOnly && !standing) {
    return <QueryError title="Your subscription could not be checked" query={query} />
  }
  return (
    <div className="flex flex-col gap-6">
      {offered && (
        <>
          <Section title="Your saved card" isCard className="flex flex-col items-start gap-4">
            <p>{cardLabel(offered)}.</p>
            <ErrorAlert
              title="You are not subscribed yet"
              error={payment.step === 'idle' ? payment.error : undefined}
            />
            <Button
              onPress={() => payment.pay(() => withCard(offered.payment_method_id))}
              isPending={payment.step !== 'idle'}
            >
              Subscribe with this card
            </Button>
          </Section>
          <h2 className="text-xl">Or use another card</h2>
        </>
      )}
      <AddCardScreen
        payment={payment}
        submitLabel={
          isPastDue
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
        renderProblem={(error, retry) =>
          !offered && (
            <ErrorAlert
              title={
                isPastDue || isOtherNow(error)
                  ? 'Your card is saved, but nothing has been paid yet'
                  : 'Your card is saved, but you are not subscribed yet'
              }
              error={error}
              actions={!isOtherNow(error) && retry}
            />
          )
        }
      />
    </div>
  )
}
