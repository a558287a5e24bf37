import { describe, expect, test } from 'vitest'
import { declineCodeOf, type IntentFacts, paymentOf } from './stripe-answers.ts'

const intent = (facts: object): IntentFacts => ({
  id: 'pi_1',
  amount: 6000,
  amount_received: 0,
  status: 'requires_capture',
  client_secret: 'pi_1_secret',
  last_payment_error: null,
  latest_charge: null,
  metadata: {},
  ...facts,
})
const refused = (error: object) => ({ status: 'requires_payment_method', last_payment_error: error })

describe('where a payment intent stands', () => {
  test.each([
    ['requires_capture', 'authorised'],
    ['succeeded', 'captured'],
    ['canceled', 'voided'],
    ['requires_action', 'requires_action'],
  ])('%s is %s', (status, state) => {
    expect(paymentOf(intent({ status }))).toMatchObject({ ref: 'pi_1', amountPence: 6000, state })
  })

  test('before a bank has been asked, there is no payment', () => {
    expect(paymentOf(intent({ status: 'requires_confirmation' }))).toBeUndefined()
    expect(paymentOf(intent({ status: 'requires_payment_method' }))).toBeUndefined()
  })

  test('without its method but with an error it was declined, or needs the absent client to authenticate', () => {
    const declined = paymentOf(intent(refused({ type: 'card_error', code: 'expired_card' })))
    expect(declined).toMatchObject({ state: 'declined', declineCode: 'expired_card' })
    const asked = paymentOf(intent(refused({ type: 'card_error', code: 'authentication_required' })))
    expect(asked).toMatchObject({ state: 'requires_action', declineCode: null, clientSecret: null })
  })

  test('a bank that wants authentication without asking the present client for it has declined', () => {
    const facts = refused({ type: 'card_error', code: 'authentication_required' })
    expect(paymentOf(intent({ ...facts, metadata: { client: 'present' } }))).toMatchObject({
      state: 'declined',
      declineCode: 'authentication_failed',
      clientSecret: null,
    })
    const inGeneral = { type: 'card_error', code: 'card_declined', decline_code: 'authentication_required' }
    expect(paymentOf(intent(refused(inGeneral)))).toMatchObject({ declineCode: 'authentication_failed' })
    for (const metadata of [{ client: 'absent' }, {}])
      expect(paymentOf(intent({ ...facts, metadata }))).toMatchObject({ state: 'requires_action' })
  })

  test('what is not decided, or not known, is nothing to go on', () => {
    expect(() => paymentOf(intent({ status: 'processing' }))).toThrow()
    expect(() => paymentOf(intent({ status: 'something_new' }))).toThrow()
  })

  test('the client secret is present only while the bank asks', () => {
    expect(paymentOf(intent({ status: 'requires_action' }))?.clientSecret).toBe('pi_1_secret')
    expect(paymentOf(intent({}))?.clientSecret).toBeNull()
  })

  test('a voided authorisation is no refund', () => {
    const charge = { latest_charge: { amount_refunded: 6000 } }
    expect(paymentOf(intent({ status: 'canceled', ...charge }))?.refundedPence).toBe(0)
    expect(paymentOf(intent({ status: 'succeeded', ...charge }))?.refundedPence).toBe(6000)
    expect(() => paymentOf(intent({ status: 'succeeded', latest_charge: 'ch_1' }))).toThrow('expanded')
  })
})

test.each([
  [{ code: 'card_declined', decline_code: 'generic_decline' }, 'card_declined'],
  [{ code: 'card_declined', decline_code: 'insufficient_funds' }, 'insufficient_funds'],
  [{ code: 'card_declined', decline_code: 'stolen_card' }, 'card_declined'],
  [{ code: 'expired_card' }, 'expired_card'],
  [{ code: 'incorrect_cvc' }, 'incorrect_cvc'],
  [{ code: 'card_declined', decline_code: 'invalid_cvc' }, 'incorrect_cvc'],
  [{ code: 'payment_intent_authentication_failure' }, 'authentication_failed'],
  [null, 'card_declined'],
])('%j is told as %s', (error, told) => {
  expect(declineCodeOf(error)).toBe(told)
})
