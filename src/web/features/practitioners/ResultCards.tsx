import { type ReactNode, useRef } from 'react'
import { preload } from 'react-dom'
import { useFollowedLinks } from '#web/lib/followed-links.tsx'
import { useHydrated } from '#web/lib/hydrated.ts'
import { useSession } from '#web/lib/session.ts'
import type { InstantLike } from '#web/lib/time.ts'
import { PractitionerCard } from './PractitionerCard.tsx'
import type { ShownCard } from './shown-card.ts'

export type ResultCardsProps = {
  cards: readonly ShownCard[]
  /** On the server, the items of the list. */
  markup?: string | undefined
  zone: string
  now: InstantLike
  /** One icon at the top corner of a card, 44px on each side, once the page is alive. */
  corner(card: ShownCard): ReactNode
}

/** As many cards may be above the fold. */
export const eagerCards = 3

/** The practitioners of a page of results. */
export function ResultCards({ cards, markup, zone, now, corner }: ResultCardsProps) {
  const list = useRef<HTMLUListElement>(null)
  const ahead = useFollowedLinks(list)
  const isHydrated = useHydrated()
  const { role } = useSession()
  const hasChat = role !== 'therapist' && role !== 'admin'
  const className = '@container flex flex-col gap-4'
  if (markup !== undefined) {
    for (const { image } of cards.slice(0, eagerCards)) if (image) preload(image, { as: 'image' })
    // oxlint-disable-next-line react/no-danger -- written by React itself
    return <ul className={className} dangerouslySetInnerHTML={{ __html: markup }} />
  }
  return (
    <>
      <ul ref={list} className={className}>
        {cards.map((card, at) => (
          <li key={card.id}>
            <PractitionerCard
              card={card}
              zone={zone}
              now={now}
              isLazy={at >= eagerCards}
              hasChat={hasChat}
              corner={isHydrated && corner(card)}
            />
          </li>
        ))}
      </ul>
      {ahead}
    </>
  )
}
