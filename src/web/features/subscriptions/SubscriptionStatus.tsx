import { useQuery } from '@tanstack/react-query'
import type { Subscription } from '#contract/subscriptions/subscriptions.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { formatPounds } from '#web/lib/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { Section } from '#web/ui/Section.tsx'
import { addCardPath, billingDay, subscriptionPath } from './billing-labels.ts'
import { isDue, subscriptionQuery } from './subscription-queries.ts'

/**
 * How it stands with the subscription, for the dashboard. Only where there really is none it offers one; where it could
 * not be checked, it says that.
 * @param isTask whether the list of what needs doing already leads to the one thing to do about it
 */
export function SubscriptionStatus({ isTask = false }: { isTask?: boolean }) {
  const { data, error, isFetching, refetch } = useQuery(subscriptionQuery())
  return (
    <Section title="Subscription" isCard className="flex flex-col gap-4">
      {data ? (
        data.subscription ? (
          <Standing subscription={data.subscription} isTask={isTask} />
        ) : (
          <>
            <p>
              {data.ended?.status === 'lapsed'
                ? `Your subscription lapsed on ${billingDay(data.ended.at)}. Clients cannot find you until you have one again.`
                : 'You have no subscription. Clients cannot find you until you have one.'}{' '}
              It costs {formatPounds(data.price)} a month.
            </p>
            {!isTask && (
              <div>
                <ButtonLink to={addCardPath}>Enable subscription</ButtonLink>
              </div>
            )}
          </>
        )
      ) : error ? (
        <Alert
          tone="warning"
          live="polite"
          title="Your subscription could not be checked"
          actions={
            <Button
              size="small"
              variant="secondary"
              onPress={() => void refetch()}
              isPending={isFetching}
              pendingLabel="Checking"
            >
              Try again
            </Button>
          }
        >
          {messageOf(error)} Nothing about it has changed.
        </Alert>
      ) : (
        <Loading label="Loading your subscription" className="flex flex-col gap-3">
          <Skeleton className="h-6 w-64" />
          <Skeleton className="h-6 w-40" />
        </Loading>
      )}
    </Section>
  )
}

function Standing({ subscription, isTask }: { subscription: Subscription; isTask: boolean }) {
  return (
    <>
      <p>{subscription.paused_for ? pausedLabel(subscription) : standingLabel(subscription)}</p>
      {!isTask && (
        <p>
          <TextLink to={subscriptionPath} className="tappable">
            {isDue(subscription) ? 'Pay it now' : 'Manage your subscription'}
          </TextLink>
        </p>
      )}
    </>
  )
}

/** What a subscription's status means, in a sentence or two. */
export function standingLabel({
  status,
  price,
  paid_until,
  begun,
  next_charge_at,
  lapses_at,
}: Subscription): string {
  const amount = formatPounds(price)
  switch (status) {
    case 'waiting':
      return `Your card is saved. Once your profile is approved, ${amount} is charged and the first month begins. Nothing is charged before.`
    case 'active':
      return `You are subscribed. It renews on ${billingDay(next_charge_at ?? '')} for ${amount}.`
    case 'past_due':
      return paid_until === null
        ? `We could not charge ${amount} for your ${begun ? 'subscription' : 'first month'}. We will try again on ${billingDay(next_charge_at ?? '')}, and stop on ${billingDay(lapses_at ?? '')}. Clients find you once it is paid.`
        : `We could not charge ${amount} for your subscription. We will try again on ${billingDay(next_charge_at ?? '')}. Unless it is paid, it lapses on ${billingDay(lapses_at ?? '')}, and clients can no longer find you.`
    case 'cancelling':
      return `You have cancelled. It runs until ${billingDay(paid_until ?? '')}, and nothing more is charged.`
    default:
      return 'Your subscription has ended.'
  }
}

/** The same during a suspension or a lapse: no month is charged before its end. */
export function pausedLabel(subscription: Subscription): string {
  const { status, price, paid_until, paused_for } = subscription
  const amount = formatPounds(price)
  const over = paused_for ? 'your documents and licences are valid again' : 'the suspension is lifted'
  switch (status) {
    case 'active':
      return `You have paid until ${billingDay(paid_until ?? '')}. Once ${over}, it renews for ${amount}, on that day at the earliest.`
    case 'past_due':
      return `We could not charge ${amount} for your subscription. We try again once ${over}.`
    case 'waiting':
      return `Once ${over}, ${amount} is charged and a new month begins.`
    default:
      return standingLabel(subscription)
  }
}
