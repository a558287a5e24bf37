import { renderToString } from 'react-dom/server'
import type { AppointmentType } from '#contract/common.ts'
import type { FoundPractitioner } from '#contract/search.ts'
import { dayIn, type InstantLike } from '#web/lib/time.ts'
import { pageZone } from '#web/lib/viewer-zone.ts'
import { PractitionerCard } from './PractitionerCard.tsx'
import { eagerCards } from './ResultCards.tsx'
import { type ShownCard, shownCard } from './shown-card.ts'

const shown = new WeakMap<FoundPractitioner, Map<AppointmentType | undefined, ShownCard>>()

/** `shownCard`, once for a practitioner who is found again and again. */
export function knownCard(found: FoundPractitioner, format?: AppointmentType): ShownCard {
  const known = shown.get(found) ?? new Map<AppointmentType | undefined, ShownCard>()
  shown.set(found, known)
  const card = known.get(format) ?? shownCard(found, format)
  known.set(format, card)
  return card
}

/** The markup of a card that was rendered last, and for which day and place in a list. */
const lastOf = new WeakMap<ShownCard, { key: string; markup: string }>()

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
  const when = `${today} ${isLazy}`
  const last = lastOf.get(card)
  if (last?.key === when) return last.markup
  const key = `${when} ${JSON.stringify(card)}`
  const known = kept.get(key)
  const markup = known ?? render(card, isLazy, now)
  lastOf.set(card, { key: when, markup })
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
