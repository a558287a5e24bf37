import { IconCreditCard } from '@tabler/icons-react'
import { serverNow } from '#web/lib/clock.ts'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { cardName, cardState, isExpired } from '#web/lib/card-names.ts'
import type { SavedCards } from './use-saved-cards.ts'

/** The saved cards as radio cards. Nothing when there is none: the caller says what happens then. */
export function CardChoice({ saved, label = 'Pay with' }: { saved: SavedCards; label?: string | undefined }) {
  if (!saved.cards) {
    if (!saved.error) return <CardsLoading />
    return <QueryErrorAlert query={saved} live="assertive" title="Your saved cards did not load" />
  }
  if (saved.cards.length === 0) return null
  const now = serverNow()
  return (
    <RadioGroup
      look="card"
      label={label}
      name="customer_id"
      value={saved.chosen?.customer_id ?? ''}
      onChange={saved.choose}
      options={saved.cards.map((card) => ({
        value: card.customer_id,
        icon: <IconCreditCard aria-hidden size={24} className="shrink-0" />,
        label: cardName(card),
        description: cardState(card, now),
        isDisabled: isExpired(card, now),
      }))}
    />
  )
}

function CardsLoading() {
  return (
    <Loading label="Loading your saved cards" className="flex flex-col gap-3">
      <Skeleton className="h-6 w-24" />
      <Skeleton className="h-20" />
    </Loading>
  )
}
