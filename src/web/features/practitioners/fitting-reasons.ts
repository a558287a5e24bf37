import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import { formatPounds } from '#web/lib/money.ts'
import type { InstantLike } from '#web/lib/time.ts'
import { nextFree, whenLabel } from './free-time.ts'

type Reader = { zone: string; now: InstantLike }

/** What one of several practitioners stands out by, each at most once. The value is compared, the most first. */
const advantages: readonly {
  valueOf(card: PractitionerCard): number | undefined
  words(card: PractitionerCard, reader: Reader): string
}[] = [
  {
    valueOf: ({ next_available }) => {
      const next = nextFree(next_available, 'online')
      return next && -Date.parse(next.startsAt)
    },
    words: ({ next_available }, { zone, now }) =>
      `and is free ${whenLabel(nextFree(next_available, 'online')?.startsAt ?? now, zone, now)}`,
  },
  {
    valueOf: ({ reviews_rating, reviews_total }) => (reviews_total >= 3 ? reviews_rating : undefined),
    words: ({ reviews_rating, reviews_total }) =>
      `and is rated ${reviews_rating.toFixed(1)} out of 5 in ${reviews_total} reviews`,
  },
  {
    valueOf: ({ experience }) => (experience >= 2 ? experience : undefined),
    words: ({ experience }) => `with ${experience} years in practice`,
  },
  {
    valueOf: ({ min_fee }) => -min_fee,
    words: ({ min_fee }) => `with sessions from ${formatPounds(min_fee)}`,
  },
]

/**
 * Why each of a few practitioners who offer the same fits, in the order of the cards: what they offer, and what each has
 * before the others.
 */
export function fittingReasons(cards: readonly PractitionerCard[], offer: string, reader: Reader): string[] {
  const own = new Map<PractitionerCard, string>()
  for (const { valueOf, words } of advantages) {
    const best = cards
      .filter((card) => !own.has(card))
      .flatMap((card) => ({ card, value: valueOf(card) }))
      .filter(({ value }) => value !== undefined)
      .sort((one, other) => Number(other.value) - Number(one.value))[0]?.card
    if (best) own.set(best, words(best, reader))
  }
  return cards.map((card) => {
    const words = own.get(card)
    return words ? `Offers ${offer}, ${words}.` : `Offers ${offer}.`
  })
}
