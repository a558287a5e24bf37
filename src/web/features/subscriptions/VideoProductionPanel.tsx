import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#web/lib/api-error.ts'
import { formatPounds } from '#web/lib/money.ts'
import { useAction } from '#web/lib/use-action.ts'
import { BankCheck } from '#web/ui/BankCheck.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { addCardPath, billingDay, cardLabel, subscriptionPath } from './billing-labels.ts'
import { cardQuery, videoQuery } from './subscription-queries.ts'
import { usePayment } from './use-payment.ts'
import { VideoProgress } from './VideoProgress.tsx'
import { type FailedQuery, QueryError } from '#web/ui/QueryError.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'

/** A profile video that is produced over a call: its price, and the order, once. */
export function VideoProductionPanel() {
  const query = useQuery(videoQuery())
  const { data, error } = query
  const cards = useQuery(cardQuery())
  const card = cards.data
  const [isAsking, setAsking] = useState(false)
  const order = useAction('POST /therapist/video-production/order')
  const payment = usePayment('video_production', () => {
    setAsking(false)
    showToast('Your video is ordered.')
  })
  if (!data) {
    if (!error) {
      return <VideoProductionLoading />
    }
    return <QueryError level={3} title="The price of the video did not load" query={query} />
  }
  const price = formatPounds(data.price)
  if (data.status === 'ordered') {
    return (
      <div className="flex flex-col gap-4">
        <p>
          You ordered it on {billingDay(data.ordered_at ?? '')} for {price}.
        </p>
        {data.progress && <VideoProgress progress={data.progress} />}
      </div>
    )
  }
  const addCard = `${addCardPath}?only=card&return_to=${encodeURIComponent(`${subscriptionPath}#video`)}`
  const useAnother = (
    <TextLink to={addCard} className="tappable">
      Use another card
    </TextLink>
  )
  const problem = payment.step === 'idle' ? payment.error : undefined
  const isWithoutCard = payment.error instanceof ApiError && payment.error.code === 'no_card'
  return (
    <div className="flex flex-col gap-4">
      <p>
        We make a short introduction with you over a video call, cut it and put it on your profile. It costs{' '}
        {price}, once
        {data.offer_ends_at
          ? `: a special offer until ${billingDay(data.offer_ends_at)}, instead of ${formatPounds(data.full_price)}`
          : ''}
        .
      </p>
      {!isAsking && <ErrorAlert title="The video was not ordered" error={problem} />}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {card === undefined ? (
          <CardUnread query={cards} />
        ) : card && !isWithoutCard ? (
          <Button variant="secondary" onPress={() => setAsking(true)}>
            Order for {price}
          </Button>
        ) : (
          <ButtonLink to={addCard} variant="secondary">
            Add a card to order it
          </ButtonLink>
        )}
        {problem !== undefined && !isWithoutCard && useAnother}
      </div>
      <ConfirmDialog
        isOpen={isAsking && !['asking', 'at_bank', 'confirming'].includes(payment.step)}
        onClose={() => setAsking(false)}
        title={`Order the video for ${price}?`}
        confirmLabel={`Order and pay ${price}`}
        cancelLabel="Not now"
        isPending={payment.step === 'working'}
        onConfirm={() => payment.pay(() => order.send({ body: { price: data.price } }))}
      >
        <div className="flex flex-col gap-4">
          <p>
            {card ? `It is charged now, once, to your ${cardLabel(card)}.` : ''} We then propose dates for the
            call.
          </p>
          <ErrorAlert title="The video was not ordered" error={problem} />
          {card && <p>{useAnother}</p>}
        </div>
      </ConfirmDialog>
      <BankCheck checked={payment} />
    </div>
  )
}

/** In the place of the button while it is unknown whether there is a card. */
function CardUnread({ query }: { query: FailedQuery }) {
  if (!query.error) return <Loading label="Loading your card" skeleton="h-12 w-40" />
  return (
    <QueryErrorAlert
      query={query}
      tone="warning"
      live="polite"
      title="Your card could not be checked"
      className="grow"
    />
  )
}

export function VideoProductionLoading() {
  return <Loading label="Loading the price of the video" skeleton="h-28 rounded-xl" />
}
