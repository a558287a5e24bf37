import type { DeclineCode, GatewayFault, GatewayPayment } from '../../integrations/payment-gateway/port.ts'

/** States in which nothing has been taken yet and everything can be let go of. */
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
 * The life of a payment intent. `…ing` states are stored before the gateway is called, so that a crash in between is
 * seen and finished; money has moved in `captured` alone.
 */
export const intentTransitions: Record<IntentState, readonly IntentState[]> = {
  authorising: ['requires_action', 'authorised', 'declined', 'voiding'],
  requires_action: ['authorised', 'declined', 'voiding'],
  authorised: ['capturing', 'voiding'],
  // The authorisation ended, or was ended at the gateway, before the capture arrived there.
  capturing: ['captured', 'voided'],
  // Captured at the gateway by other hands: it is refunded then.
  voiding: ['voided', 'captured'],
  declined: ['voiding'],
  captured: [],
  // An authorisation that was thought never to have arrived came late.
  voided: ['voiding'],
}

/**
 * What an authorisation has come to, by where it is found at the gateway. Found let go of, or ended there, it is let go
 * of here; found captured, it was authorised, and capturing it once more changes nothing.
 */
export const statesNoted: Record<GatewayPayment['state'], IntentState> = {
  requires_action: 'requires_action',
  authorised: 'authorised',
  captured: 'authorised',
  declined: 'declined',
  voided: 'voiding',
}

/** A captured payment, as far as refunds care. Pence. */
export type Captured = {
  id: string
  amountPence: number
  discountPence: number
  refundedPence: number
  undiscountedPence: number
}

/** A part of a refund, from one payment. `discountPence` is the platform's share that is no longer owed. */
export type RefundPart = { intentId: string; amountPence: number; discountPence: number }

/**
 * Spreads a refund over captured payments, newest first.
 * @throws Error when more is asked for than was paid
 */
export function spreadRefund(
  payments: readonly Captured[],
  wanted: { amountPence: number; discountPence: number },
): RefundPart[] {
  let amountLeft = wanted.amountPence
  let discountLeft = wanted.discountPence
  const parts: RefundPart[] = []
  for (const payment of payments) {
    const amountPence = Math.min(amountLeft, payment.amountPence - payment.refundedPence)
    if (amountPence <= 0) continue
    const discountPence = Math.min(discountLeft, payment.discountPence - payment.undiscountedPence)
    amountLeft -= amountPence
    discountLeft -= discountPence
    parts.push({ intentId: payment.id, amountPence, discountPence })
  }
  if (amountLeft > 0 || discountLeft > 0) throw new Error('A refund of more than was paid.')
  return parts
}

/** A charge of the platform's own: what the gateway holds of it is the platform's income. */
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

/** A capture: what the gateway holds and what the platform adds is owed to the practitioner in full. */
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

/** A transfer to a practitioner's bank: what is owed, and what the gateway holds, become less. */
export function payoutEntries({ practitionerId, amountPence }: Omit<Movement, 'discountPence'>): Entry[] {
  return [
    { account: 'practitioner_payable', practitioner_id: practitionerId, amount_pence: amountPence },
    { account: 'gateway_balance', practitioner_id: null, amount_pence: -amountPence },
  ]
}

/** A refund: the capture turned round, in part or in full. */
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

/** What is kept of a gateway call that failed. */
export type Fault = GatewayFault

/** What a declined card is told; the card itself is never named. */
export const declineMessages: Record<DeclineCode, string> = {
  card_declined: 'Your bank declined this card. Nothing was charged. Please try another card.',
  insufficient_funds: 'There is not enough money on this card. Nothing was charged. Please try another card.',
  expired_card: 'This card has expired. Nothing was charged. Please try another card.',
  incorrect_cvc: 'The security code is not right. Nothing was charged. Please check it or try another card.',
  authentication_failed:
    'Your bank could not confirm that it was you. Nothing was charged. Please try again.',
}
