import type { DeclineCode, GatewayFault, GatewayPayment } from '../../integrations/payment-gateway/port.ts'

/** States before the capture, from which a payment can be voided. */
export const releasable = ['authorising', 'requires_action', 'authorised'] as const

export type IntentState =
  | 'authorising'
  | 'requires_action'
  | 'authorised'
  | 'declined'
  | 'capturing'
  | 'captured'
  | 'voiding'
  | 'voided'

/**
 * The life of a payment intent. An `…ing` state is stored before its gateway call, so that a job can finish the step
 * after a crash. Only a `captured` intent has moved money.
 */
export const intentTransitions: Record<IntentState, readonly IntentState[]> = {
  authorising: ['requires_action', 'authorised', 'declined', 'voiding'],
  requires_action: ['authorised', 'declined', 'voiding'],
  authorised: ['capturing', 'voiding'],
  // The authorisation ended at the gateway before the capture arrived there.
  capturing: ['captured', 'voided'],
  // Captured at the gateway outside the product; it is then refunded.
  voiding: ['voided', 'captured'],
  declined: ['voiding'],
  captured: [],
  // An authorisation that seemed lost reached the gateway late.
  voided: ['voiding'],
}

/**
 * The state of an authorisation by its state at the gateway. An authorisation that has ended there is voided here. A
 * captured payment counts as authorised, because capturing it again changes nothing.
 */
export const statesNoted: Record<GatewayPayment['state'], IntentState> = {
  requires_action: 'requires_action',
  authorised: 'authorised',
  captured: 'authorised',
  declined: 'declined',
  voided: 'voiding',
}

/** The parts of a captured payment that a refund needs. Pence. */
export type Captured = {
  id: string
  amountPence: number
  discountPence: number
  /** Refunded, or returned by a lost dispute. */
  refundedPence: number
  /** The part of `refundedPence` that leaves the price owed: neither for a change nor by a dispute. */
  otherRefundsPence: number
  undiscountedPence: number
  /** The part of `undiscountedPence` that went with those refunds. */
  otherUndiscountedPence: number
}

/** Pence. `due`: the price and the discount after the change that the refund is for. */
export type WantedRefund = Due & { due?: Due }
type Due = { amountPence: number; discountPence: number }

/**
 * A part of a refund, from one payment. `discountPence` is the platform's share that is no longer owed. A part may have no
 * amount; below zero, more of the discount is owed than before.
 */
export type RefundPart = { intentId: string; amountPence: number; discountPence: number }

/**
 * Spreads a refund over captured payments, newest first. Amount and discount may come from different payments.
 * @throws Error when the refund exceeds the payments
 */
export function spreadRefund(
  payments: readonly Captured[],
  wanted: { amountPence: number; discountPence: number },
): RefundPart[] {
  let amountLeft = wanted.amountPence
  let discountLeft = wanted.discountPence
  const parts: RefundPart[] = []
  for (const payment of payments) {
    const amountPence = Math.min(amountLeft, amountLeftOf(payment))
    const discountPence = Math.min(discountLeft, payment.discountPence - payment.undiscountedPence)
    amountLeft -= amountPence
    discountLeft -= discountPence
    if (amountPence === 0 && discountPence === 0) continue
    parts.push({ intentId: payment.id, amountPence, discountPence })
  }
  if (amountLeft > 0 || discountLeft > 0) throw new Error('A refund of more than was paid.')
  return parts
}

/** A charge: the gateway's balance and the platform's income rise. */
export function chargeEntries(purpose: 'subscription' | 'video_production', amountPence: number): Entry[] {
  return [
    { account: 'gateway_balance', practitioner_id: null, amount_pence: amountPence },
    { account: `${purpose}_income`, practitioner_id: null, amount_pence: -amountPence },
  ]
}

export type Entry = {
  account:
    | 'gateway_balance'
    | 'practitioner_payable'
    | 'referral_discounts'
    | 'subscription_income'
    | 'video_production_income'
    | 'disputed_funds'
    | 'dispute_losses'
    | 'dispute_fees'
  practitioner_id: number | null
  amount_pence: number
}
type Movement = { practitionerId: number; amountPence: number; discountPence: number }

/** A capture: the client's payment and the platform's discount are owed to the practitioner in full. */
export function captureEntries({ practitionerId, amountPence, discountPence }: Movement): Entry[] {
  return [
    { account: 'gateway_balance' as const, practitioner_id: null, amount_pence: amountPence },
    { account: 'referral_discounts' as const, practitioner_id: null, amount_pence: discountPence },
    {
      account: 'practitioner_payable' as const,
      practitioner_id: practitionerId,
      amount_pence: -(amountPence + discountPence),
    },
  ].filter((entry) => entry.amount_pence !== 0)
}

/** A payout: the amount owed to the practitioner and the gateway's balance fall. */
export function payoutEntries({ practitionerId, amountPence }: Omit<Movement, 'discountPence'>): Entry[] {
  return [
    { account: 'practitioner_payable', practitioner_id: practitionerId, amount_pence: amountPence },
    { account: 'gateway_balance', practitioner_id: null, amount_pence: -amountPence },
  ]
}

/** A refund: a capture reversed, in part or in full. */
export function refundEntries(movement: Movement): Entry[] {
  return turnedRound(captureEntries(movement))
}

/** A refund of a charge of the platform's own. */
export function chargeRefundEntries(
  purpose: 'subscription' | 'video_production',
  amountPence: number,
): Entry[] {
  return turnedRound(chargeEntries(purpose, amountPence))
}

/** The same movement the other way. */
export function turnedRound(entries: Entry[]): Entry[] {
  return entries.map((entry) => ({ ...entry, amount_pence: -entry.amount_pence }))
}

/** The stored details of a failed gateway call. */
export type Fault = GatewayFault

/** Messages for a declined card. None identifies the card. */
export const declineMessages: Record<DeclineCode, string> = {
  card_declined: 'Your bank declined this card. Nothing was charged. Please try another card.',
  insufficient_funds: 'There is not enough money on this card. Nothing was charged. Please try another card.',
  expired_card: 'This card has expired. Nothing was charged. Please try another card.',
  incorrect_cvc: 'The security code is not right. Nothing was charged. Please check it or try another card.',
  authentication_failed:
    'Your bank could not confirm that it was you. Nothing was charged. Please try again.',
}

/** Refund states by precedence, for an appointment with several refunds. */
export const refundPrecedence = ['failed', 'requested', 'succeeded'] as const

/** A payment can be returned twice: where a refund failed, and was paid in another way after another refund. */
const amountLeftOf = (payment: Captured) => Math.max(0, payment.amountPence - payment.refundedPence)

/** What may still be refunded of some captured payments, in pence. */
export function whatIsLeft(captured: readonly Captured[]) {
  const sum = (pick: (payment: Captured) => number) => captured.reduce((total, each) => total + pick(each), 0)
  return {
    amountPence: sum(amountLeftOf),
    discountPence: sum((each) => each.discountPence - each.undiscountedPence),
  }
}

/**
 * How much of a refund can be made: what is left, and of a change no more than was paid above the new price, and than its
 * discount was above the new one.
 */
export function refundable(captured: readonly Captured[], wanted: WantedRefund | 'everything' | 'rest') {
  const left = whatIsLeft(captured)
  if (wanted === 'everything' || wanted === 'rest') return left
  const { amountPence, discountPence, due } = wanted
  // A lost dispute may have returned what the change would.
  const above = (leftPence: number, other: (payment: Captured) => number, duePence = 0) =>
    Math.max(0, captured.reduce((sum, each) => sum + other(each), leftPence) - duePence)
  return {
    amountPence: Math.min(
      amountPence,
      left.amountPence,
      above(left.amountPence, (each) => each.otherRefundsPence, due?.amountPence),
    ),
    discountPence: Math.min(
      discountPence,
      left.discountPence,
      above(left.discountPence, (each) => each.otherUndiscountedPence, due?.discountPence),
    ),
  }
}
