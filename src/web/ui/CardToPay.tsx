import { type ReactNode, useEffect, useRef, useState } from 'react'
import { announce } from '../lib/announce.ts'
import { Button } from './Button.tsx'

/** The saved cards, one of which pays. */
export type CardsToPay = {
  chosenId: string | undefined
  /** How many there are; undefined while that is not known. */
  count: number | undefined
  choice: ReactNode
  /** The form for another card, which is chosen once it is saved. */
  renderForm(onSaved: () => void): ReactNode
}

type Props = {
  cards: CardsToPay
  /** Between the choice and the form. */
  children?: ReactNode
  /** Of the form, where no card is saved yet. */
  firstTitle?: string
  /** The form has a frame of its own. */
  isFramed?: boolean
}

/** The choice of a saved card, and the form for another one: shown when it is asked for, and where none is saved. */
export function CardToPay({ cards, children, firstTitle, isFramed }: Props) {
  const [isAdding, setAdding] = useState(false)
  const isFirst = cards.count === 0
  const form = useRef<HTMLElement>(null)
  // The button that asked for it goes, and its fields come before what would take the focus by itself.
  useEffect(() => {
    if (isAdding) form.current?.focus()
  }, [isAdding])
  return (
    <>
      {cards.choice}
      {children}
      {isAdding || isFirst ? (
        <section
          ref={form}
          tabIndex={-1}
          aria-label="Adding new card"
          className={isFramed ? 'rounded-lg border border-line bg-surface p-4' : 'flex flex-col gap-3'}
        >
          {isFirst && firstTitle && <h2 className="text-xl">{firstTitle}</h2>}
          {cards.renderForm(() => {
            setAdding(false)
            announce('Your card is saved and chosen.')
          })}
        </section>
      ) : (
        <Button variant="secondary" onPress={() => setAdding(true)}>
          Use another card
        </Button>
      )}
    </>
  )
}
