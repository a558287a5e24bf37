import { describe, expect, it } from 'vitest'
import { practitionerStates } from '#contract/back-office/back-office.ts'
import {
  isListed,
  lapsedAt,
  readsUnlisted,
  stateAfter,
  type Transition,
  transitions,
} from './practitioners.rules.ts'

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
      'draft close closed',
      'submitted approve approved',
      'submitted reject rejected',
      'submitted close closed',
      'approved suspend suspended',
      'approved close closed',
      'rejected submit submitted',
      'rejected close closed',
      'suspended reinstate approved',
      'suspended close closed',
    ])
  })

  it('is listed while approved, subscribed and vetted, to the moment', () => {
    const until = new Date('2026-06-01T00:00:00Z')
    const before = new Date(until.getTime() - 1)
    const later = new Date(until.getTime() + 1)
    const subscribed = { state: 'approved', subscribed_until: until, vetted_until: null } as const
    expect(isListed(subscribed, before)).toBe(true)
    expect(isListed(subscribed, until)).toBe(false)
    expect(isListed({ ...subscribed, subscribed_until: null }, before)).toBe(false)
    expect(isListed({ ...subscribed, state: 'suspended' }, before)).toBe(false)
    expect(isListed({ ...subscribed, subscribed_until: later, vetted_until: until }, before)).toBe(true)
    expect(isListed({ ...subscribed, subscribed_until: later, vetted_until: until }, until)).toBe(false)
    expect(isListed({ ...subscribed, vetted_until: later }, until)).toBe(false)
  })

  it('has lapsed from the moment at which the vetted facts end, while it is approved', () => {
    const until = new Date('2026-06-01T00:00:00Z')
    const approved = { state: 'approved', subscribed_until: null, vetted_until: until } as const
    expect(lapsedAt(approved, new Date(until.getTime() - 1))).toBeNull()
    expect(lapsedAt(approved, until)).toEqual(until)
    expect(lapsedAt({ ...approved, vetted_until: null }, until)).toBeNull()
    expect(lapsedAt({ ...approved, state: 'suspended' }, until)).toBeNull()
  })

  it('is read while not listed by its owner, and by an admin after the second factor', () => {
    const own = { account_id: 'own' }
    expect(readsUnlisted({ role: 'therapist', accountId: 'own' }, own)).toBe(true)
    expect(readsUnlisted({ role: 'therapist', accountId: 'other' }, own)).toBe(false)
    expect(readsUnlisted({ role: 'anyone' }, own)).toBe(false)
    expect(readsUnlisted({ role: 'admin', accountId: 'admin' }, own)).toBe(true)
    expect(readsUnlisted({ role: 'admin', accountId: 'admin', needsSecondFactor: true }, own)).toBe(false)
  })
})
