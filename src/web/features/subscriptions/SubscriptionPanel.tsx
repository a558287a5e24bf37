import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Subscription } from '#contract/subscriptions/subscriptions.ts'
import { callApi } from '#web/lib/api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { formatPounds } from '#web/lib/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { addCardPath, billingDay, cardLabel } from './billing-labels.ts'
import { PaymentCheck } from './PaymentCheck.tsx'
import { standingLabel } from './SubscriptionStatus.tsx'
import { subscribeWithSavedCard } from './subscribe.ts'
import { cardQuery, type Standing, subscriptionQuery } from './subscription-queries.ts'
import { usePayment } from './use-payment.ts'

const titles: Record<Subscription['status'], string> = {
  waiting: 'Your subscription begins with the approval',
  active: 'Your subscription is active',
  past_due: 'A payment for your subscription failed',
  cancelling: 'Your subscription is cancelled',
  ended: 'Your subscription has ended',
}

/** How it stands with the subscription, and everything that can be done about it. */
export function SubscriptionPanel() {
  const { data, error, isFetching, refetch } = useQuery(subscriptionQuery())
  if (data) return <Panel standing={data} />
  if (!error) return <SubscriptionPanelLoading />
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

function Panel({ standing }: { standing: Standing }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const payment = usePayment('subscription', () => showToast('You have successfully subscribed'))
  const { subscription, price, ended } = standing
  const amount = formatPounds(price)

  async function change(key: 'cancel' | 'resume'): Promise<void> {
    setPending(true)
    setProblem(undefined)
    try {
      const after = await callApi(`POST /therapist/subscription/${key}`)
      setAsking(false)
      showToast(key === 'resume' ? 'Your subscription goes on.' : cancelledLabel(after))
      await client.invalidateQueries()
    } catch (thrown) {
      setProblem(thrown)
    } finally {
      setPending(false)
    }
  }

  const error = payment.step === 'idle' ? (payment.error ?? (isAsking ? undefined : problem)) : undefined
  return (
    <Card as="section" aria-labelledby="subscription-title" className="flex flex-col gap-4">
      <h2 id="subscription-title" className="text-xl">
        {subscription ? titles[subscription.status] : 'You have no subscription'}
      </h2>
      <p aria-live="polite">
        {subscription
          ? standingLabel(subscription)
          : `${ended ? `Your last one ${ended.status === 'lapsed' ? 'lapsed' : 'ended'} on ${billingDay(ended.at)}. ` : ''}Clients cannot find you until you have a subscription. It costs ${amount} a month, and you can cancel at any time.`}
      </p>
      <CardLine />
      {error !== undefined && (
        <Alert tone="danger" live="assertive" title="That did not go through">
          {messageOf(error)}
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        {!subscription && <ButtonLink to={addCardPath}>Enable subscription</ButtonLink>}
        {subscription?.status === 'past_due' && (
          <Button onPress={() => payment.run(subscribeWithSavedCard)} isPending={payment.step !== 'idle'}>
            Pay {amount} now
          </Button>
        )}
        {subscription?.status === 'cancelling' && (
          <Button onPress={() => void change('resume')} isPending={isPending}>
            Resume subscription
          </Button>
        )}
        {subscription && (
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
      {subscription && (
        <ConfirmDialog
          isOpen={isAsking}
          onOpenChange={(isOpen) => {
            setAsking(isOpen)
            setProblem(undefined)
          }}
          title="Cancel your subscription?"
          confirmLabel="Cancel subscription"
          cancelLabel="Keep subscription"
          isDangerous
          isPending={isPending}
          onConfirm={() => void change('cancel')}
        >
          <div className="flex flex-col gap-4">
            <p>{whatCancellingMeans(subscription)}</p>
            <p>
              Sessions that are booked stay booked, and what clients paid stays owed to you. Your profile is
              kept, and is back as soon as you subscribe again.
            </p>
            {problem !== undefined && (
              <Alert tone="danger" live="assertive" title="It is not cancelled">
                {messageOf(problem)}
              </Alert>
            )}
          </div>
        </ConfirmDialog>
      )}
      <PaymentCheck payment={payment} />
    </Card>
  )
}

function whatCancellingMeans({ status, paid_until }: Subscription): string {
  if (status === 'waiting') return 'It ends at once. Nothing has been charged for it.'
  if (status === 'past_due')
    return 'It is not paid, so it ends at once: clients no longer find you. Nothing more is charged.'
  return `It runs until ${billingDay(paid_until ?? '')}, which you have paid for. Until then clients find you as before, and you can resume it. Nothing more is charged.`
}

function cancelledLabel({ status, paid_until }: Subscription): string {
  return status === 'cancelling'
    ? `Cancelled. It runs until ${billingDay(paid_until ?? '')}.`
    : 'Your subscription has ended.'
}

function CardLine() {
  const { data: card } = useQuery(cardQuery())
  if (!card) return null
  return <p className="text-soft">Paid with {cardLabel(card)}.</p>
}

export function SubscriptionPanelLoading() {
  return (
    <Loading label="Loading your subscription">
      <Skeleton className="h-56 rounded-xl" />
    </Loading>
  )
}
