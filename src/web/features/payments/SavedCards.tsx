import { IconCreditCard } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import type { Card } from '#contract/payments.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { paymentProvider } from '#web/lib/payment-provider.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { cardExpiry, cardName, cardState, isExpired } from '#web/lib/card-names.ts'
import { cardsQuery, useSavedCards } from './use-saved-cards.ts'

type Props = {
  addPath: string
  /** Reads what depends on a card, which is shown before it is removed. May not reject. */
  usesOf(card: Card): Promise<ReactNode>
}

/** The saved cards, each of which can be removed. */
export function SavedCards({ addPath, usesOf }: Props) {
  const saved = useSavedCards()
  const [leaving, setLeaving] = useState<{ card: Card; uses: ReactNode }>()
  // All that it says is known before the question is asked: nothing in it moves under a press.
  const ask = useAction(async (card: Card) => setLeaving({ card, uses: await usesOf(card) }))
  const list = useRef<HTMLUListElement>(null)
  if (!saved.cards) {
    if (!saved.error) return <SavedCardsLoading />
    return <QueryError query={saved} title="Your saved cards did not load" />
  }
  if (saved.cards.length === 0) {
    return (
      <EmptyState title="No card is saved" actions={<ButtonLink to={addPath}>Add a card</ButtonLink>}>
        <p>You pay for sessions with a saved card. Add one now, or when you book.</p>
      </EmptyState>
    )
  }
  const now = serverNow()
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <ul ref={list} tabIndex={-1} aria-label="Saved cards" className="flex flex-col gap-3 outline-none">
        {saved.cards.map((card) => (
          <li
            key={card.customer_id}
            className="flex items-center gap-4 rounded-xl border border-line bg-surface p-4 shadow-low sm:p-5"
          >
            <IconCreditCard aria-hidden size={28} className="shrink-0 text-action" />
            <span className="min-w-0 grow">
              <span className="block font-semibold">{cardName(card)}</span>
              {isExpired(card, now) ? (
                <span className="block text-sm text-danger">
                  Expired {cardExpiry(card)}. It can no longer be used.
                </span>
              ) : (
                <span className="block text-sm text-soft">{cardState(card, now)}</span>
              )}
            </span>
            <Button
              variant="secondary"
              size="small"
              aria-label={`Remove ${cardName(card)}`}
              isPending={ask.isPending && ask.input?.[0] === card}
              isDisabled={ask.isPending && ask.input?.[0] !== card}
              onPress={() => ask.start(card)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <div>
        <ButtonLink to={addPath}>Add a card</ButtonLink>
      </div>
      {leaving && (
        <RemoveCard
          {...leaving}
          onClose={() => setLeaving(undefined)}
          onRemoved={() => {
            showToast(`${cardName(leaving.card)} is removed.`)
            // The button that opened the window is gone with its card.
            requestAnimationFrame(() => list.current?.focus())
          }}
        />
      )}
    </div>
  )
}

type RemoveCardProps = { card: Card; uses: ReactNode; onClose(): void; onRemoved(): void }

function RemoveCard({ card, uses, onClose, onRemoved }: RemoveCardProps) {
  const client = useQueryClient()

  const remove = useAction('DELETE /payment/{provider}/cards/{customer_id}', {
    // A series names the card that pays it.
    invalidates: [['series']],
  })

  async function removeOnce(): Promise<void> {
    const params = { provider: paymentProvider(), customer_id: card.customer_id }
    await remove.send({ params }).catch((error: unknown) => {
      // Removed already, in another window.
      if (!(error instanceof ApiError && error.status === 404)) throw error
    })
    client.setQueryData(cardsQuery().queryKey, (known) =>
      known?.filter((each) => each.customer_id !== card.customer_id),
    )
    onRemoved()
  }

  return (
    <ActionDialog
      onClose={onClose}
      title="Remove this card?"
      confirmLabel="Remove card"
      cancelLabel="Keep card"
      isDangerous
      onConfirm={removeOnce}
      failureTitle="Your card was not removed"
    >
      <p>
        {cardName(card)} can then no longer be used for sessions. Sessions you have paid for stay booked, and
        refunds can still reach it. You can add it again at any time.
      </p>
      {uses}
    </ActionDialog>
  )
}

export function SavedCardsLoading() {
  return (
    <Loading label="Loading your saved cards" className="flex max-w-2xl flex-col gap-3">
      <Skeleton className="h-20 rounded-xl" />
      <Skeleton className="h-20 rounded-xl" />
    </Loading>
  )
}
