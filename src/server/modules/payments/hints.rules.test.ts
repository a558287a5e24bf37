import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GatewayPayment } from '../../integrations/payment-gateway/port.ts'
import { stepAfterHint } from './hints.rules.ts'
import { type IntentState, intentTransitions } from './payments.rules.ts'

const here = Object.keys(intentTransitions) as IntentState[]
const there: GatewayPayment['state'][] = ['requires_action', 'authorised', 'declined', 'captured', 'voided']

/** What a step makes of our state; where it stays, the same. */
function after(state: IntentState, step: ReturnType<typeof stepAfterHint>): IntentState {
  if (step === 'authorised' || step === 'declined') return step
  if (step === 'captured') return 'authorised'
  return step === 'let go' || step === 'give back' ? 'voiding' : state
}

test('a hint only ever takes a payment along its life, or leaves it', () => {
  for (const state of here) {
    for (const found of there) {
      const to = after(state, stepAfterHint(state, found))
      if (to !== state) expect(intentTransitions[state]).toContain(to)
    }
  }
})

test('the bank’s answer is taken over while it is waited for, and at no other time', () => {
  expect(stepAfterHint('requires_action', 'authorised')).toBe('authorised')
  expect(stepAfterHint('requires_action', 'declined')).toBe('declined')
  for (const state of ['authorised', 'captured', 'voided', 'declined'] as const)
    expect(['authorised', 'declined']).not.toContain(stepAfterHint(state, 'authorised'))
})

test('money that nobody waits for is let go of, and refunded where other hands have taken it', () => {
  expect(stepAfterHint('declined', 'authorised')).toBe('void')
  expect(stepAfterHint('voided', 'authorised')).toBe('void')
  expect(stepAfterHint('voided', 'captured')).toBe('give back')
  expect(stepAfterHint('authorised', 'captured')).toBe('captured')
  expect(stepAfterHint('captured', 'voided')).toBe('alarm')
})

test('whatever is said, in whatever order and however often, it ends as by the last that was read', () => {
  fc.assert(
    fc.property(fc.constantFrom(...here), fc.array(fc.constantFrom(...there)), (state, said) => {
      const end = said.reduce((now, found) => after(now, stepAfterHint(now, found)), state)
      const again = said.toReversed().reduce((now, found) => after(now, stepAfterHint(now, found)), end)
      // What is finished stays so: only what waited can have moved.
      if (['captured', 'declined', 'voided'].includes(state) && end !== 'voiding') expect(end).toBe(state)
      if (['captured', 'declined', 'voided', 'voiding'].includes(end)) expect(again).toBe(end)
    }),
  )
})
