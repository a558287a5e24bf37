import { expect, test } from 'vitest'
import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import { fittingReasons } from './fitting-reasons.ts'

const reader = { zone: 'Europe/London', now: '2026-06-08T08:00:00Z' }
const card = (known: Partial<PractitionerCard>) =>
  ({
    reviews_rating: 0,
    reviews_total: 0,
    experience: 0,
    min_fee: 60,
    next_available: { online: null, face_to_face: null },
    ...known,
  }) as PractitionerCard
const freeAt = (online: string) => ({ online, face_to_face: null })

test('each of three practitioners is named by what they have before the others', () => {
  const cards = [
    card({ next_available: freeAt('2026-06-10T10:00:00Z'), reviews_rating: 4.9, reviews_total: 34 }),
    card({ next_available: freeAt('2026-06-08T14:00:00Z'), reviews_rating: 4.95, reviews_total: 12 }),
    card({
      next_available: freeAt('2026-06-09T10:00:00Z'),
      reviews_rating: 4.2,
      reviews_total: 40,
      experience: 21,
    }),
  ]
  expect(fittingReasons(cards, 'CBT', reader)).toEqual([
    'Offers CBT, and is rated 4.9 out of 5 in 34 reviews.',
    'Offers CBT, and is free today at 15:00.',
    'Offers CBT, with 21 years in practice.',
  ])
})

test('a practitioner without a free time, reviews or experience is named by the price, and by the offer alone', () => {
  const cards = [
    card({ min_fee: 70 }),
    card({ min_fee: 45 }),
    card({ min_fee: 80, reviews_total: 2, reviews_rating: 5 }),
  ]
  expect(fittingReasons(cards, 'EMDR', reader)).toEqual([
    'Offers EMDR.',
    'Offers EMDR, with sessions from £45.',
    'Offers EMDR.',
  ])
  expect(fittingReasons([], 'EMDR', reader)).toEqual([])
})
