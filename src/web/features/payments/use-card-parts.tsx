import type { ReactNode } from 'react'
import type { CardsToPay } from '#web/ui/CardToPay.tsx'
import { CardChoice } from './CardChoice.tsx'
import { CardForm, useClientCard } from './CardForm.tsx'
import { useSavedCards } from './use-saved-cards.ts'

/** Gives the saved cards to what is rendered with them. */
export function WithCards({ label, children }: { label: string; children(cards: CardsToPay): ReactNode }) {
  return children(useCardParts(label))
}

/** The saved cards as a page composes them with what they pay for. */
export function useCardParts(label?: string): CardsToPay {
  const saved = useSavedCards()
  const clientCard = useClientCard()
  return {
    chosenId: saved.chosen?.customer_id,
    count: saved.cards?.length,
    choice: <CardChoice saved={saved} label={label} />,
    renderForm: (onSaved) => (
      <CardForm
        {...clientCard}
        submitLabel="Add card"
        onSaved={(card) => {
          saved.add(card)
          onSaved()
        }}
      />
    ),
  }
}
