import type { AppointmentType } from '#contract/common.ts'
import type { FoundPractitioner, NextStart } from '#contract/search.ts'
import { milesLabel } from '#web/lib/miles.ts'
import { poundsToPence } from '#web/lib/money.ts'
import { formatWords } from '#web/lib/session-formats.ts'
import { cardIssues, cardText } from './card-text.ts'
import { experienceLabel } from './experience.ts'
import { waitingFor } from './free-time.ts'
import { profilePath } from '#web/lib/profile-path.ts'

/** A practitioner in the results: the words and figures of their card, and no more. */
export type ShownCard = {
  id: number
  name: string
  image: string | null
  /** Profession and experience. */
  facts: string
  /** Null without reviews. */
  rating: { value: number; total: number } | null
  /** How and where one meets; how far away while a place is searched near. */
  meeting: string
  about: string
  issues: string
  /** Pence. */
  price: { min: number; max: number }
  /** Packed, the earliest first. */
  starts: string
  /** How many wait for a time, of a practitioner who is full and whose waitlist can be joined. */
  waiting: number | null
  /** The path of the profile. */
  profile: string
}

/** @param format that of the search; the profile opens in it */
export function shownCard(found: FoundPractitioner, format?: AppointmentType): ShownCard {
  const { practitioner_id: id, session_types: formats, reviews_rating: value, reviews_total: total } = found
  return {
    id,
    name: found.full_name,
    image: found.main_image,
    facts: `${found.provider_types.join(', ')} · ${experienceLabel(found.experience)}`,
    rating: total === 0 ? null : { value: Number(value.toFixed(1)), total },
    meeting:
      found.distance_miles === undefined
        ? meetingLabel(formats, found.cities)
        : `${meetingLabel(formats, [])} · ${distanceLabel(found.distance_miles, found.district)}`,
    about: cardText(found.short_description),
    issues: cardIssues(found.issue.map(({ issue_name }) => issue_name)),
    price: { min: poundsToPence(found.min_fee), max: poundsToPence(found.max_fee) },
    starts: packStarts(found.next_starts),
    waiting: waitingFor(found),
    // With one format there is nothing to say.
    profile: profilePath(id, formats.length > 1 ? format : undefined),
  }
}

/** Online, and face to face in Leeds. */
function meetingLabel(formats: readonly AppointmentType[], cities: readonly string[]): string {
  const places = cities.length > 0 ? ` in ${cities.slice(0, 2).join(' and ')}` : ''
  const words = formats
    .map((format) => formatWords[format] + (format === 'online' ? '' : places))
    .join(' and ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** 2.3 miles · Headingley, Leeds. */
function distanceLabel(miles: number | null, district: string | null | undefined): string {
  if (miles === null) return 'distance unknown'
  return [milesLabel(miles), district].filter(Boolean).join(' · ')
}

/** As one text, `2026-06-01T09:00Z online 3,…`: as objects, they were a third of the data of a page. */
export function packStarts(starts: readonly NextStart[]): string {
  return starts
    .map(({ starts_at, appointment_type, service_id }) =>
      [starts_at.replace(/(T\d\d:\d\d):00(\.0+)?Z$/, '$1Z'), appointment_type, service_id].join(' '),
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
