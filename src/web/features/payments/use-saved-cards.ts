import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Card } from '#contract/payments.ts'
import { accountKey } from '#web/lib/account-key.ts'
import { apiQuery } from '#web/lib/api-query.ts'
import { serverNow } from '#web/lib/clock.ts'
import { paymentProvider } from '#web/lib/payment-provider.ts'
import { isExpired } from '#web/lib/card-names.ts'

/** The client's saved cards, newest first. */
export const cardsQuery = () =>
  apiQuery(accountKey('cards'), 'GET /payment/{provider}/get-client-cards', {
    params: { provider: paymentProvider() },
  })

export type SavedCards = {
  /** Absent while they load or when that failed. */
  cards: readonly Card[] | undefined
  error: unknown
  isFetching: boolean
  refetch(): unknown
  /** The card that is to pay: the one chosen, else the newest that has not expired and was not declined last time. */
  chosen: Card | undefined
  choose(customerId: string): void
  /** Puts a card just saved among them, and chooses it. */
  add(card: Card): void
  /** Reads them again: the cards as they are then. */
  refresh(): Promise<readonly Card[]>
}

/** The saved cards, and which of them is to pay. */
export function useSavedCards(): SavedCards {
  const client = useQueryClient()
  const query = useQuery(cardsQuery())
  const [chosenId, setChosenId] = useState<string>()
  const usable = query.data?.filter((card) => !isExpired(card, serverNow())) ?? []
  return {
    cards: query.data,
    error: query.data ? null : query.error,
    isFetching: query.isFetching,
    refetch: query.refetch,
    chosen: usable.find((card) => card.customer_id === chosenId) ?? usable.find((card) => !card.declined),
    choose: setChosenId,
    add(card) {
      client.setQueryData(cardsQuery().queryKey, (known) => [
        card,
        ...(known ?? []).filter((each) => each.customer_id !== card.customer_id),
      ])
      setChosenId(card.customer_id)
    },
    refresh: () => client.fetchQuery({ ...cardsQuery(), staleTime: 0 }),
  }
}
