import type { ReactNode } from 'react'
import { CardChoice } from './CardChoice.tsx'
import { CardForm, useClientCard } from './CardForm.tsx'
import { useSavedCards } from './use-saved-cards.ts'

/** The saved cards as a page composes them with what they pay for. */
export type CardParts = {
  chosenId: string | undefined
  /** How many there are; undefined while that is not known. */
  count: number | undefined
  choice: ReactNode
  /** The form for another card, which is chosen once it is saved. */
  renderForm(onSaved: () => void): ReactNode
}

/** Gives the saved cards to what is rendered with them. */
export function WithCards({ label, children }: { label: string; children(cards: CardParts): ReactNode }) {
  return children(useCardParts(label))
}

export function useCardParts(label?: string): CardParts {
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
