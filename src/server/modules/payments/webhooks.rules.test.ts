import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GatewayPayment } from '../../integrations/payment-gateway/port.ts'
import { stepAfterEvent } from './webhooks.rules.ts'
import { type IntentState, intentTransitions } from './payments.rules.ts'

const here = Object.keys(intentTransitions) as IntentState[]
const there: GatewayPayment['state'][] = ['requires_action', 'authorised', 'declined', 'captured', 'voided']

/** The state after a step; unchanged if the step changes nothing. */
function after(state: IntentState, step: ReturnType<typeof stepAfterEvent>): IntentState {
  if (step === 'authorised' || step === 'declined') return step
  if (step === 'captured') return 'authorised'
  return step === 'let go' || step === 'give back' ? 'voiding' : state
}

test('a webhook event makes only a declared transition, or none', () => {
  for (const state of here) {
    for (const found of there) {
      const to = after(state, stepAfterEvent(state, found))
      if (to !== state) expect(intentTransitions[state]).toContain(to)
    }
  }
})

test('the bank’s decision is stored only while the payment waits for it', () => {
  expect(stepAfterEvent('requires_action', 'authorised')).toBe('authorised')
  expect(stepAfterEvent('requires_action', 'declined')).toBe('declined')
  for (const state of ['authorised', 'captured', 'voided', 'declined'] as const)
    expect(['authorised', 'declined']).not.toContain(stepAfterEvent(state, 'authorised'))
})

test('an ended payment is voided at the gateway, and refunded if it was captured outside the product', () => {
  expect(stepAfterEvent('declined', 'authorised')).toBe('void')
  expect(stepAfterEvent('voided', 'authorised')).toBe('void')
  expect(stepAfterEvent('voided', 'captured')).toBe('give back')
  expect(stepAfterEvent('authorised', 'captured')).toBe('captured')
  expect(stepAfterEvent('requires_action', 'captured')).toBe('captured')
  expect(stepAfterEvent('captured', 'voided')).toBe('alarm')
})

test('a step under way is finished at every answer of the gateway', () => {
  for (const state of ['authorising', 'capturing', 'voiding'] as const)
    for (const found of there) expect(stepAfterEvent(state, found)).toBe('finish')
})

test('an authorisation that has ended at the gateway is let go', () => {
  expect(stepAfterEvent('requires_action', 'voided')).toBe('let go')
  expect(stepAfterEvent('authorised', 'declined')).toBe('let go')
  expect(stepAfterEvent('authorised', 'voided')).toBe('let go')
})

test('a captured payment of which the gateway says otherwise alarms, in any state', () => {
  for (const found of there)
    expect(stepAfterEvent('captured', found)).toBe(found === 'captured' ? 'nothing' : 'alarm')
})

test('an ended payment is voided where the bank still waits for the client, and rests where it has ended there', () => {
  for (const state of ['declined', 'voided'] as const) {
    expect(stepAfterEvent(state, 'requires_action')).toBe('void')
    expect(stepAfterEvent(state, 'declined')).toBe('nothing')
    expect(stepAfterEvent(state, 'voided')).toBe('nothing')
  }
})

test('events in any order and number leave the state that the last reading calls for', () => {
  fc.assert(
    fc.property(fc.constantFrom(...here), fc.array(fc.constantFrom(...there)), (state, said) => {
      const end = said.reduce((now, found) => after(now, stepAfterEvent(now, found)), state)
      const again = said.toReversed().reduce((now, found) => after(now, stepAfterEvent(now, found)), end)
      // A final state stays; only an open payment can change.
      if (['captured', 'declined', 'voided'].includes(state) && end !== 'voiding') expect(end).toBe(state)
      if (['captured', 'declined', 'voided', 'voiding'].includes(end)) expect(again).toBe(end)
    }),
  )
})
