import { expect, test } from 'vitest'
import { appointmentStates } from '#contract/bookings/bookings.ts'
import { reportStates } from '#contract/reviews.ts'
import { type Decision, decisions, notReviewable, pseudonymOf, reportAfter } from './reviews.rules.ts'

test.each([
  ['Morgan', 'M.'],
  [' élise ', 'É.'],
  // In two signs: a letter and its accent.
  ['e\u0301lise', 'É.'],
  ['𐐨𐐩', '𐐀.'],
  ['李明', '李.'],
  ['7of9', 'A client'],
  ['😀', 'A client'],
  [' ', 'A client'],
])('a client called %j signs as %s', (name, signature) => {
  expect(pseudonymOf(name)).toBe(signature)
})

test('a session is reviewed once it is completed, and in no other state', () => {
  expect(appointmentStates.filter((state) => notReviewable(state) === null)).toEqual(['completed'])
})

test('a report goes only the ways that are declared', () => {
  const ways = reportStates.flatMap((state) =>
    (Object.keys(decisions) as Decision[]).flatMap((decision) => {
      const next = reportAfter(decision, state)
      return next ? [`${state} ${decision} ${next}`] : []
    }),
  )
  expect(ways).toEqual([
    'open hide hidden',
    'open dismiss dismissed',
    'hidden restore dismissed',
    'dismissed hide hidden',
  ])
})
