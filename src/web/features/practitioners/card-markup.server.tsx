import { renderToString } from 'react-dom/server'
import { dayIn, type InstantLike } from '#web/lib/time.ts'
import { pageZone } from '#web/lib/viewer-zone.ts'
import { PractitionerCard } from './PractitionerCard.tsx'
import { eagerCards } from './ResultCards.tsx'
import type { ShownCard } from './shown-card.ts'

/** By everything that its markup depends on, the least recently used first. */
const kept = new Map<string, string>()
/** Some 5 kB each. */
const maxKept = 2000

/** A parameter of an address within an attribute. */
const parameter = /&amp;(service|datetime|type)=/g

/** The items of a list of cards, as `ResultCards` renders them. A card is rendered once for as long as it stays the same. */
export function cardsMarkup(cards: readonly ShownCard[], now: InstantLike): string {
  const today = dayIn(now, pageZone)
  return cards.map((card, at) => markupOf(card, at >= eagerCards, now, today)).join('')
}

function markupOf(card: ShownCard, isLazy: boolean, now: InstantLike, today: string): string {
  const key = `${today} ${isLazy} ${JSON.stringify(card)}`
  const known = kept.get(key)
  const markup = known ?? render(card, isLazy, now)
  if (known !== undefined) kept.delete(key)
  kept.set(key, markup)
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept) break
    kept.delete(oldest)
  }
  return markup
}

function render(card: ShownCard, isLazy: boolean, now: InstantLike): string {
  const markup = renderToString(
    <li>
      <PractitionerCard card={card} zone={pageZone} now={now} isLazy={isLazy} />
    </li>,
  )
  // Without the preloads that React writes before it, and with the addresses of bookings shorter by an eighth: an
  // ampersand that begins no name of a sign needs no name itself.
  return markup.slice(markup.indexOf('<li>')).replaceAll(parameter, '&$1=')
}
