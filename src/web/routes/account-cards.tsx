import { useQueryClient } from '@tanstack/react-query'
import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import { SavedCards, SavedCardsLoading } from '#web/features/payments/SavedCards.tsx'
import { usesOfCard } from '#web/features/series/CardSeries.tsx'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('Saved cards') }]

export const clientLoader = () => null

const texts = { title: 'Saved cards', lead: 'The cards you pay for sessions with.' }

export function HydrateFallback() {
  return (
    <AccountPart {...texts}>
      <SavedCardsLoading />
    </AccountPart>
  )
}

export default function AccountCards() {
  const client = useQueryClient()
  return (
    <AccountPart {...texts}>
      <SavedCards
        addPath="/add-card?return_to=%2Faccount%2Fcards"
        usesOf={(card) => usesOfCard(client, card)}
      />
    </AccountPart>
  )
}
