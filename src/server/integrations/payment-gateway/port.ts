import type { CardDetails } from '#contract/payments.ts'

/** A saved card as the gateway knows it. `token` opens nothing outside this account of the gateway. */
export type GatewayCard = {
  token: string
  brand: string
  last4: string
  expiryMonth: number
  expiryYear: number
  /** The same for the same card, whoever saves it. */
  fingerprint: string
}

export type CardRefusal = 'unknown_card' | 'expired_card' | 'incorrect_cvc'
export type DeclineCode =
  | 'card_declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'authentication_failed'

/** Where a payment stands at the gateway. Amounts in pence. */
export type GatewayPayment = {
  ref: string
  amountPence: number
  state: 'requires_action' | 'authorised' | 'declined' | 'captured' | 'voided'
  declineCode: DeclineCode | null
  /** For the browser, to carry out the extra authentication. */
  clientSecret: string | null
  refundedPence: number
}

/**
 * A card gateway. Every method that moves money takes an idempotency key that was stored before the call: the same key
 * answers what the first call did and does nothing more. A method that throws may or may not have taken effect, so it
 * is called again with the same key, or looked up by `findByKey`.
 */
export type PaymentGateway = {
  /** The name in paths, `/payment/{provider}/…`. */
  name: string
  /** Exchanges card details for a token. @throws CardRefused */
  saveCard(card: CardDetails | { payment_method_id: string }): Promise<GatewayCard>
  /** Forgets a saved card. Repeating it changes nothing. */
  removeCard(token: string): Promise<void>
  authorise(request: { key: string; token: string; amountPence: number }): Promise<GatewayPayment>
  /** Goes on after extra authentication: `authorised`, `declined` or still `requires_action`. */
  confirm(ref: string): Promise<GatewayPayment>
  /** What a key did, if its call ever arrived. */
  findByKey(key: string): Promise<GatewayPayment | undefined>
  capture(ref: string): Promise<GatewayPayment>
  /** Lets go of an authorisation. Repeating it, or voiding what was declined, changes nothing. */
  void(ref: string): Promise<GatewayPayment>
  refund(request: { key: string; ref: string; amountPence: number }): Promise<{ ref: string }>
}

export class CardRefused extends Error {
  readonly reason: CardRefusal
  constructor(reason: CardRefusal) {
    super(reason)
    this.name = 'CardRefused'
    this.reason = reason
  }
}
