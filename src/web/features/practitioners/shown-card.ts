import type { FoundPractitioner } from '#contract/search.ts'
import { cardIssues, cardText } from './card-text.ts'

/** A practitioner in the results: what their card shows, and no more. */
export type ShownCard = Pick<
  FoundPractitioner,
  | 'practitioner_id'
  | 'full_name'
  | 'main_image'
  | 'provider_types'
  | 'experience'
  | 'reviews_rating'
  | 'reviews_total'
  | 'min_fee'
  | 'max_fee'
  | 'session_types'
  | 'cities'
  | 'next_starts'
> & { about: string; issues: string }

/** Drops what a card does not show: a page is sent with its data, and a list has many cards. */
export function shownCard(found: FoundPractitioner): ShownCard {
  return {
    practitioner_id: found.practitioner_id,
    full_name: found.full_name,
    main_image: found.main_image,
    provider_types: found.provider_types,
    experience: found.experience,
    reviews_rating: found.reviews_rating,
    reviews_total: found.reviews_total,
    min_fee: found.min_fee,
    max_fee: found.max_fee,
    session_types: found.session_types,
    cities: found.cities,
    next_starts: found.next_starts,
    about: cardText(found.short_description),
    issues: cardIssues(found.issue.map(({ issue_name }) => issue_name)),
  }
}
