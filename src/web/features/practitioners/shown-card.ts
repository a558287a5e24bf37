import type { FoundPractitioner, NextStart } from '#contract/search.ts'
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
> & { about: string; issues: string; starts: string }

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
    starts: packStarts(found.next_starts),
    about: cardText(found.short_description),
    issues: cardIssues(found.issue.map(({ issue_name }) => issue_name)),
  }
}

/** As one text, `2026-06-01T09:00Z online 3,…`: as objects, they were a third of the data of a page. */
function packStarts(starts: readonly NextStart[]): string {
  return starts
    .map(({ starts_at, appointment_type, service_id }) =>
      [starts_at.replace(/:00(\.0+)?Z$/, 'Z'), appointment_type, service_id].join(' '),
    )
    .join(',')
}

export function unpackStarts(packed: string): NextStart[] {
  if (packed === '') return []
  return packed.split(',').map((text) => {
    const [starts_at = '', type, service] = text.split(' ')
    const appointment_type = type === 'online' ? 'online' : 'face_to_face'
    return { starts_at, appointment_type, service_id: Number(service) }
  })
}
