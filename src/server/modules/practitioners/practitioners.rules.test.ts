import { describe, expect, it } from 'vitest'
import { practitionerStates } from '#contract/back-office.ts'
import { isListed, stateAfter, type Transition, transitions } from './practitioners.rules.ts'

describe("the life of a practitioner's profile", () => {
  it('goes only the ways that are declared', () => {
    const ways = practitionerStates.flatMap((state) =>
      (Object.keys(transitions) as Transition[]).flatMap((transition) => {
        const next = stateAfter(transition, state)
        return next ? [`${state} ${transition} ${next}`] : []
      }),
    )
    expect(ways).toEqual([
      'draft submit submitted',
      'submitted approve approved',
      'submitted reject rejected',
      'approved suspend suspended',
      'rejected submit submitted',
      'suspended reinstate approved',
    ])
  })

  it('is listed while approved and subscribed, to the moment', () => {
    const until = new Date('2026-06-01T00:00:00Z')
    const before = new Date(until.getTime() - 1)
    expect(isListed({ state: 'approved', subscribed_until: until }, before)).toBe(true)
    expect(isListed({ state: 'approved', subscribed_until: until }, until)).toBe(false)
    expect(isListed({ state: 'approved', subscribed_until: null }, before)).toBe(false)
    expect(isListed({ state: 'suspended', subscribed_until: until }, before)).toBe(false)
  })
})
