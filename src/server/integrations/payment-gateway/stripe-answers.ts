import type Stripe from 'stripe'
import type { DeclineCode, GatewayNotice, GatewayPayment } from './port.ts'

/** What is read of a payment intent. `latest_charge` has to be expanded. */
export type IntentFacts = Pick<
  Stripe.PaymentIntent,
  'id' | 'amount' | 'status' | 'client_secret' | 'last_payment_error' | 'latest_charge'
>

/**
 * A payment intent in the product's words; undefined as long as no bank has been asked, so that nothing can be on a
 * card. @throws Error while Stripe itself does not know what will come of it
 */
export function paymentOf(intent: IntentFacts): GatewayPayment | undefined {
  const state = stateOf(intent)
  if (state === undefined) return undefined
  return {
    ref: intent.id,
    amountPence: intent.amount,
    state,
    declineCode: state === 'declined' ? declineCodeOf(intent.last_payment_error) : null,
    clientSecret: intent.status === 'requires_action' ? intent.client_secret : null,
    refundedPence: state === 'captured' ? refundedOf(intent.latest_charge) : 0,
  }
}

function stateOf({ status, last_payment_error: error }: IntentFacts): GatewayPayment['state'] | undefined {
  switch (status) {
    case 'requires_confirmation':
      return undefined
    case 'requires_action':
      return 'requires_action'
    case 'requires_payment_method':
      // Nobody was there whom the bank could have asked.
      if (error?.code === 'authentication_required') return 'requires_action'
      return error ? 'declined' : undefined
    case 'requires_capture':
      return 'authorised'
    case 'succeeded':
      return 'captured'
    case 'canceled':
      return 'voided'
    default:
      // `processing`, and whatever a later version of Stripe may say.
      throw new Error('Stripe does not know yet what comes of this payment.')
  }
}

/** Cancelling gives back what was reserved as a refund too, which it is not: this is for captured payments alone. */
function refundedOf(charge: IntentFacts['latest_charge']): number {
  if (typeof charge === 'string') throw new Error('The charge of a payment intent was not expanded.')
  return charge?.amount_refunded ?? 0
}

type Refusal = { code?: string; decline_code?: string } | null

/** Why a bank said no, as far as a person is told: https://docs.stripe.com/declines/codes */
export function declineCodeOf(error: Refusal): DeclineCode {
  if (error?.code === 'payment_intent_authentication_failure') return 'authentication_failed'
  for (const code of [error?.code, error?.decline_code]) {
    if (code === 'expired_card' || code === 'incorrect_cvc' || code === 'insufficient_funds') return code
    if (code === 'invalid_cvc') return 'incorrect_cvc'
  }
  return 'card_declined'
}

/** What an event is about: the intent's id, where there is one. */
export function subjectOf(event: Stripe.Event): {
  kind: GatewayNotice['kind']
  intent: string | null
} {
  switch (event.type) {
    case 'payment_intent.amount_capturable_updated':
    case 'payment_intent.canceled':
    case 'payment_intent.payment_failed':
    case 'payment_intent.requires_action':
    case 'payment_intent.succeeded':
      return { kind: 'payment', intent: event.data.object.id }
    case 'refund.failed':
      return { kind: 'refund failed', intent: idOf(event.data.object.payment_intent) }
    case 'charge.dispute.created':
      return { kind: 'dispute', intent: idOf(event.data.object.payment_intent) }
    default:
      return { kind: 'other', intent: null }
  }
}

/** The id of what Stripe answers as an id, or whole where it was asked to. */
export function idOf(found: string | { id: string } | null): string | null {
  return typeof found === 'string' ? found : (found?.id ?? null)
}
