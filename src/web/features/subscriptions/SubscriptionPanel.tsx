import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Subscription } from '#contract/subscriptions/subscriptions.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { formatPounds } from '#web/lib/money.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { BankCheck } from '#web/ui/BankCheck.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { Section } from '#web/ui/Section.tsx'
import { addCardPath, billingDay, cardLabel } from './billing-labels.ts'
import { pausedLabel, standingLabel } from './SubscriptionStatus.tsx'
import { useSubscribe } from './subscribe.ts'
import { cardQuery, isDue, type Standing, subscriptionQuery } from './subscription-queries.ts'
import { usePayment } from './use-payment.ts'

const titles: Record<Subscription['status'], string> = {
  waiting: 'Your subscription begins when you are approved',
  active: 'Your subscription is active',
  past_due: 'A payment for your subscription failed',
  cancelling: 'Your subscription is cancelled',
  ended: 'Your subscription has ended',
}

/**
 * How it stands with the subscription, and everything that can be done about it. A practitioner who is suspended or
 * closed can only cancel it.
 * @param isSuspended undefined until it is known
 */
export function SubscriptionPanel({ isSuspended }: { isSuspended: boolean | undefined }) {
  const { data, error, isFetching, refetch } = useQuery(subscriptionQuery())
  if (data && isSuspended !== undefined) return <Panel standing={data} isSuspended={isSuspended} />
  if (data || !error) return <SubscriptionPanelLoading />
  return (
    <ErrorState
      title="Your subscription could not be checked"
      onRetry={() => void refetch()}
      isRetrying={isFetching}
    >
      <p>{messageOf(error)} Nothing about it has changed.</p>
    </ErrorState>
  )
}

function Panel({ standing, isSuspended }: { standing: Standing; isSuspended: boolean }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const payment = usePayment('subscription', () => showToast('You have successfully subscribed'))
  const { subscription, price, ended } = standing
  const amount = formatPounds(price)

  const { payPastDue } = useSubscribe()
  const cancel = useAction('POST /therapist/subscription/cancel', {
    onDone(after) {
      showToast(cancelledLabel(after))
      void client.invalidateQueries()
    },
  })
  const resume = useAction('POST /therapist/subscription/resume', {
    async onDone() {
      showToast('Your subscription continues.')
      await client.invalidateQueries()
    },
  })
  const error = payment.step === 'idle' ? (payment.error ?? resume.error) : undefined
  const hasLapsed = !isSuspended && Boolean(subscription?.paused_for)
  const isPaused = hasLapsed || (isSuspended && subscription !== null && subscription.status !== 'cancelling')
  return (
    <Section
      title={
        isPaused
          ? `Nothing is charged while ${isSuspended ? 'you are suspended' : 'a document or licence has expired'}`
          : subscription
            ? titles[subscription.status]
            : 'You have no subscription'
      }
      isCard
      className="flex flex-col gap-4"
    >
      <p aria-live="polite">
        {subscription
          ? isPaused
            ? pausedLabel(subscription)
            : standingLabel(subscription)
          : `${ended ? `Your last one ${ended.status === 'lapsed' ? 'lapsed' : 'ended'} on ${billingDay(ended.at)}. ` : ''}${isSuspended ? 'Nothing is being charged.' : `Clients cannot find you until you have a subscription. It costs ${amount} a month, and you can cancel at any time.`}`}
      </p>
      <CardLine label={subscription ? 'Paid with' : 'Your saved card:'} />
      <ErrorAlert title="That did not go through" error={error} />
      <div className="flex flex-wrap gap-3">
        {!subscription && !isSuspended && <ButtonLink to={addCardPath}>Enable subscription</ButtonLink>}
        {isDue(subscription) && !isSuspended && (
          <Button onPress={() => payment.pay(() => payPastDue())} isPending={payment.step !== 'idle'}>
            Pay {amount} now
          </Button>
        )}
        {subscription?.status === 'cancelling' && !isSuspended && (
          <Button onPress={() => resume.start()} isPending={resume.isPending}>
            Resume subscription
          </Button>
        )}
        {subscription && !isSuspended && (
          <ButtonLink to={addCardPath} variant="secondary">
            Update card
          </ButtonLink>
        )}
        {subscription && subscription.status !== 'cancelling' && (
          <Button variant="secondary" onPress={() => setAsking(true)}>
            Cancel subscription
          </Button>
        )}
      </div>
      {subscription && isAsking && (
        <ActionDialog
          onClose={() => setAsking(false)}
          title="Cancel your subscription?"
          confirmLabel="Cancel subscription"
          cancelLabel="Keep subscription"
          isDangerous
          onConfirm={() => cancel.send()}
          failureTitle="It was not cancelled"
        >
          <p>{isPaused ? cancellingPaused(subscription) : whatCancellingMeans(subscription)}</p>
          <p>
            {isSuspended
              ? 'What you have earned stays yours, and your profile is kept. You can subscribe again if the suspension is lifted.'
              : 'Sessions that are booked stay booked, and what clients paid stays owed to you. Your profile is kept, and is back as soon as you subscribe again.'}
          </p>
        </ActionDialog>
      )}
      <BankCheck checked={payment} />
    </Section>
  )
}

function whatCancellingMeans({ status, paid_until, begun }: Subscription): string {
  if (status === 'waiting' && !begun) return 'It ends at once. Nothing has been charged for it.'
  if (status === 'past_due' && paid_until === null && !begun)
    return 'It has not begun, so it ends at once. Nothing has been charged for it.'
  if (paid_until === null) return 'It ends at once. Nothing more is charged.'
  if (status === 'past_due')
    return 'It is not paid, so it ends at once: clients can no longer find you. Nothing more is charged.'
  return `It runs until ${billingDay(paid_until)}, which you have paid for. Until then clients can find you as before, and you can resume it. Nothing more is charged.`
}

/** The same during a suspension or a lapse, when clients cannot find the practitioner in any case. */
function cancellingPaused({ status, paid_until }: Subscription): string {
  return status === 'active' && paid_until !== null
    ? `It runs until ${billingDay(paid_until)}, which you have paid for. Nothing more is charged.`
    : 'It ends at once. Nothing more is charged.'
}

function cancelledLabel({ status, paid_until }: Subscription): string {
  return status === 'cancelling'
    ? `Cancelled. It runs until ${billingDay(paid_until ?? '')}.`
    : 'Your subscription has ended.'
}

function CardLine({ label }: { label: string }) {
  const { data: card } = useQuery(cardQuery())
  if (!card) return null
  return (
    <p className="text-soft">
      {label} {cardLabel(card)}.
    </p>
  )
}

export function SubscriptionPanelLoading() {
  return <Loading label="Loading your subscription" skeleton="h-56 rounded-xl" />
}
