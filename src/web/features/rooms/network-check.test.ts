import { expect, test } from 'vitest'
import { networkLabel } from './network-check.ts'

test.each([
  [undefined, 1, 'danger', /could not reach the relay/],
  [undefined, 0, 'danger', /could not reach the relay/],
  [40, 0.51, 'danger', /could not reach the relay/],
  [40, 0.5, 'warning', /is weak/],
  [40, 0.09, 'warning', /is weak/],
  [401, 0, 'warning', /is weak/],
  [400, 0.08, 'success', /will do/],
  [40, 0.03, 'success', /will do/],
  [201, 0, 'success', /will do/],
  [200, 0.02, 'success', /is good/],
  [40, 0, 'success', /is good/],
] as const)('a round trip of %s ms with a loss of %s is a %s', (roundTrip, loss, tone, text) => {
  const label = networkLabel({ roundTrip, loss })
  expect(label.tone).toBe(tone)
  expect(label.text).toMatch(text)
})
