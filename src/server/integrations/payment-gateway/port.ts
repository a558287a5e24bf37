import type { CardDetails } from '#contract/payments.ts'

/** A saved card as the gateway knows it. `token` opens nothing outside this account of the gateway. */
export type GatewayCard = {
  token: string
  brand: string
  last4: string
  expiryMonth: number
  expiryYear: number
  /** The same for the same card, also when another account saves it. */
  fingerprint: string
}

/** A card is good to the end of its month, which is counted from 1. */
export const isPast = (year: number, month: number, now: Date): boolean =>
  now.getTime() >= Date.UTC(year, month, 1)

export type CardRefusal = 'unknown_card' | 'expired_card' | 'incorrect_cvc'
export type DeclineCode =
  | 'card_declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'authentication_failed'

/**
 * The state of a payment at the gateway. Amounts in pence. `requires_action`: the bank wants the cardholder to
 * authenticate. If the cardholder is not present, such a payment can only be voided.
 */
export type GatewayPayment = {
  ref: string
  amountPence: number
  state: 'requires_action' | 'authorised' | 'declined' | 'captured' | 'voided'
  declineCode: DeclineCode | null
  /** For the browser, to carry out the extra authentication. */
  clientSecret: string | null
  refundedPence: number
}

export type GatewayRefund = {
  ref: string
  /** The key that it was asked for with; null, or a key that is none of ours, when it was made at the gateway itself. */
  key: string | null
  amountPence: number
  /** `failed`: the card's bank has sent the money back to the gateway's balance. */
  state: 'pending' | 'succeeded' | 'failed'
  /** Of a pending one: it has not left yet, as the gateway's balance is too small. */
  awaitsFunds?: boolean
}

export type GatewayDispute = {
  ref: string
  amountPence: number
  /** What is out of the balance for it now, without fees. */
  withdrawnPence: number
  /** What the gateway has taken for the dispute itself, less what it gave back of it. */
  feePence: number
  state: 'open' | 'won' | 'lost'
  /** Whether the payment can be refunded all the same: in an inquiry, before a bank has withdrawn anything. */
  isRefundable: boolean
}

/** A payment with its refunds and disputes, also those made at the gateway itself. */
export type GatewayRecord = GatewayPayment & { refunds: GatewayRefund[]; disputes: GatewayDispute[] }

/**
 * A card gateway. Every method that moves money takes an idempotency key that was stored before the call: the same key
 * answers what the first call did and does nothing more. A method that throws may or may not have taken effect, so it
 * is called again with the same key, or looked up by `findByKey`.
 */
export type PaymentGateway = {
  /** The name in paths, `/payment/{provider}/…`. */
  name: string
  /**
   * Begins saving a card where the browser hands it to the gateway itself: what the gateway's script needs for that.
   * Null where the card comes with `saveCard`. `key` is this attempt's own.
   */
  beginCard(request: { key: string; owner: string }): Promise<{ clientSecret: string } | null>
  /** Exchanges a card for a token, for the account that it is saved for. @throws CardRefused */
  saveCard(card: CardDetails | { payment_method_id: string }, owner: string): Promise<GatewayCard>
  /** Forgets a saved card. Repeating it changes nothing. */
  removeCard(token: string): Promise<void>
  /** Forgets whose cards were saved, once they are removed. Repeating it changes nothing. */
  deleteOwner(owner: string): Promise<void>
  authorise(request: Authorisation): Promise<GatewayPayment>
  /** Goes on after extra authentication: `authorised`, `declined` or still `requires_action`. */
  confirm(ref: string): Promise<GatewayPayment>
  /** What a key did, if its call ever arrived. */
  findByKey(key: string): Promise<GatewayPayment | undefined>
  /** As `findByKey`, with refunds and disputes. A part that was captured short of the whole counts as a refund. */
  inspect(key: string): Promise<GatewayRecord | undefined>
  capture(ref: string): Promise<GatewayPayment>
  /** Voids an authorisation. Repeating it, or voiding a declined payment, changes nothing. */
  void(ref: string): Promise<GatewayPayment>
  /**
   * Returns the amount that left with the key, which may have been asked for with another one before. `awaitsFunds`: it has
   * not left yet, as the gateway's balance is too small; the same call later tells whether it has.
   */
  refund(request: {
    key: string
    ref: string
    amountPence: number
  }): Promise<{ ref: string; amountPence: number; awaitsFunds?: boolean }>
  /**
   * Reads what the gateway has sent of its own accord, as it came. Absent where it never does.
   * @throws WebhookRefused unless it has signed exactly this, and lately
   */
  readWebhookEvent?(body: Buffer, signature: string): Promise<WebhookEvent>
}

export type Authorisation = {
  key: string
  token: string
  /** The account that the card was saved for. */
  owner: string
  amountPence: number
  /** Whether the person is there, so that their bank can ask them. */
  isPresent: boolean
}

/** A webhook event. It announces that something may have changed; the new state is read from the gateway. */
export type WebhookEvent = {
  /** The same when the event is repeated. */
  id: string
  kind: 'payment' | 'refund failed' | 'dispute' | 'other'
  /** The gateway's name for the payment, refund or dispute that it is about. */
  subject: string | null
  /** The key that the payment was authorised with; null when it is none of ours. */
  paymentKey: string | null
}

/** What a gateway says of a call that failed, without its words: they may repeat what was sent. */
export type GatewayFault = { type: string; code: string | null; request_id: string | null }

/** Reads a fault of any error; each part is a plain name or nothing. */
export function gatewayFaultOf(error: unknown): GatewayFault {
  const facts = (error instanceof Error ? error : {}) as Record<string, unknown>
  const named = (value: unknown) =>
    typeof value === 'string' && /^[A-Za-z][\w.-]{0,99}$/.test(value) ? value : null
  return {
    type: named(facts.type) ?? named(facts.name) ?? 'unknown',
    code: named(facts.decline_code) ?? named(facts.code),
    request_id: named(facts.requestId),
  }
}

/** A refund that the gateway has accepted, and cannot send while its balance is too small. */
export class RefundAwaitsFunds extends Error {
  readonly code = 'insufficient_funds'
  /** No fault of a job: the mail about refunds that take long is what an admin hears of it by. */
  readonly expected = true
  constructor() {
    super('The gateway cannot send a refund: its balance is too small.')
    this.name = 'RefundAwaitsFunds'
  }
}

export class WebhookRefused extends Error {
  constructor() {
    super('This was not signed by the gateway.')
    this.name = 'WebhookRefused'
  }
}

export class CardRefused extends Error {
  readonly reason: CardRefusal
  constructor(reason: CardRefusal) {
    super(reason)
    this.name = 'CardRefused'
    this.reason = reason
  }
}
