import type { ReactNode } from 'react'

/** The saved cards, as far as this needs them. */
export type CardsToPayWith = {
  chosenId: string | undefined
  isLoading: boolean
  hasNone: boolean
  choice: ReactNode
}
