import { expect, test } from 'vitest'
import type { FoundPractitioner } from '#contract/search.ts'
import { packStarts, shownCard, unpackStarts } from './shown-card.ts'

test('the starts of a card are sent as one text and read back to the minute', () => {
  const starts = [
    { starts_at: '2026-06-01T09:00:00.000Z', appointment_type: 'online', service_id: 3 },
    { starts_at: '2026-06-01T10:30:00.000Z', appointment_type: 'face_to_face', service_id: 12 },
  ] as const
  const found = {
    short_description: '',
    issue: [],
    provider_types: [],
    session_types: [],
    cities: [],
    reviews_rating: 0,
    reviews_total: 0,
    next_available: { online: null, face_to_face: null },
    waitlist: { open: false, waiting: 0 },
    next_starts: starts,
  } as unknown as FoundPractitioner
  expect(unpackStarts(shownCard(found).starts)).toEqual([
    { ...starts[0], starts_at: '2026-06-01T09:00Z' },
    { ...starts[1], starts_at: '2026-06-01T10:30Z' },
  ])
  const packed = shownCard(found).starts
  expect(packStarts(unpackStarts(packed))).toBe(packed)
  expect(unpackStarts(shownCard({ ...found, next_starts: [] }).starts)).toEqual([])
})

test('a card has the distance of the nearest place while a place is searched near', () => {
  const found = {
    short_description: '',
    issue: [],
    provider_types: [],
    session_types: ['online', 'face_to_face'],
    cities: ['Leeds'],
    reviews_rating: 0,
    reviews_total: 0,
    next_available: { online: null, face_to_face: null },
    waitlist: { open: false, waiting: 0 },
    next_starts: [],
  } as unknown as FoundPractitioner
  const meetingOf = (near: Partial<FoundPractitioner>) => shownCard({ ...found, ...near }).meeting
  expect(meetingOf({})).toBe('Online and face to face in Leeds')
  expect(meetingOf({ cities: ['Leeds', 'York', 'Hull'] })).toBe('Online and face to face in Leeds and York')
  const near = { distance_miles: 2.3, district: 'Headingley, Leeds' }
  expect(meetingOf(near)).toBe('Online and face to face · 2.3 miles · Headingley, Leeds')
  expect(meetingOf({ ...near, distance_miles: 1 })).toContain('· 1 mile ·')
  expect(meetingOf({ distance_miles: null, district: null })).toBe(
    'Online and face to face · distance unknown',
  )
})

test('a card has the number of those who wait while the waitlist is open and no format is free', () => {
  const found = {
    short_description: '',
    issue: [],
    provider_types: [],
    session_types: ['online', 'face_to_face'],
    cities: [],
    reviews_rating: 0,
    reviews_total: 0,
    next_starts: [],
    next_available: { online: null, face_to_face: null },
    waitlist: { open: true, waiting: 3 },
  } as unknown as FoundPractitioner
  expect(shownCard(found).waiting).toBe(3)
  expect(shownCard({ ...found, waitlist: { open: false, waiting: 3 } }).waiting).toBeNull()
  const next_available = { online: null, face_to_face: '2026-06-01T09:00:00.000Z' }
  expect(shownCard({ ...found, next_available }).waiting).toBeNull()
})

test('a card has a rating from the first review on, and its profile opens in the format of the search', () => {
  const found = {
    practitioner_id: 7,
    short_description: '',
    issue: [],
    provider_types: [],
    session_types: ['online', 'face_to_face'],
    cities: [],
    reviews_rating: 4.66,
    reviews_total: 1,
    next_available: { online: null, face_to_face: null },
    waitlist: { open: false, waiting: 0 },
    next_starts: [],
  } as unknown as FoundPractitioner
  expect(shownCard(found).rating).toEqual({ value: 4.7, total: 1 })
  expect(shownCard({ ...found, reviews_rating: 0, reviews_total: 0 }).rating).toBeNull()
  const plain = shownCard(found).profile
  expect(shownCard(found, 'online').profile).not.toBe(plain)
  expect(shownCard({ ...found, session_types: ['online'] }, 'online').profile).toBe(plain)
})
