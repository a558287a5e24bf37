import type Stripe from 'stripe'
import type { DeclineCode, GatewayDispute, WebhookEvent, GatewayPayment, GatewayRefund } from './port.ts'

/** What is read of a payment intent. `latest_charge` has to be expanded. */
export type IntentFacts = Pick<
  Stripe.PaymentIntent,
  | 'id'
  | 'amount'
  | 'amount_received'
  | 'status'
  | 'client_secret'
  | 'last_payment_error'
  | 'latest_charge'
  | 'metadata'
>

/** Marks an intent whose card cannot be used any more: no bank is asked, and it counts as declined. */
export const cardRefused = { card: 'refused' }
/** Marks an intent whose client is there, so that their bank can ask them. */
export const clientPresent = { client: 'present' }

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

function stateOf({
  status,
  last_payment_error: error,
  metadata,
}: IntentFacts): GatewayPayment['state'] | undefined {
  switch (status) {
    case 'requires_confirmation':
      return undefined
    case 'requires_action':
      return 'requires_action'
    case 'requires_payment_method':
      if (metadata.card === cardRefused.card) return 'declined'
      // The bank asked for authentication while the client was not present. A present client can answer nothing: it declined.
      if (error?.code === 'authentication_required' && metadata.client !== clientPresent.client)
        return 'requires_action'
      return error ? 'declined' : undefined
    case 'requires_capture':
      return 'authorised'
    case 'succeeded':
      return 'captured'
    case 'canceled':
      return 'voided'
    default:
      // `processing`, and states of later versions of Stripe.
      throw new Error('Stripe does not know yet what comes of this payment.')
  }
}

/** For captured payments alone: Stripe counts the released amount of a cancelled intent as refunded too. */
function refundedOf(charge: IntentFacts['latest_charge']): number {
  if (typeof charge === 'string') throw new Error('The charge of a payment intent was not expanded.')
  return charge?.amount_refunded ?? 0
}

type Refusal = { code?: string; decline_code?: string } | null

/** The reason of a decline that a client may see: https://docs.stripe.com/declines/codes */
export function declineCodeOf(error: Refusal): DeclineCode {
  for (const code of [error?.code, error?.decline_code]) {
    if (code === 'payment_intent_authentication_failure' || code === 'authentication_required')
      return 'authentication_failed'
    if (code === 'expired_card' || code === 'incorrect_cvc' || code === 'insufficient_funds') return code
    if (code === 'invalid_cvc') return 'incorrect_cvc'
  }
  return 'card_declined'
}

/** A refund in the product's words. One that is on its way to the bank counts as made. */
export function refundOf(
  refund: Pick<Stripe.Refund, 'id' | 'amount' | 'status' | 'metadata' | 'pending_reason'>,
): GatewayRefund {
  return {
    ref: refund.id,
    key: refund.metadata?.attempt ?? null,
    amountPence: refund.amount,
    state: hasFailed(refund) ? 'failed' : refund.status === 'succeeded' ? 'succeeded' : 'pending',
    ...(awaitsFunds(refund) ? { awaitsFunds: true } : {}),
  }
}

/** Whether a refund waits until the balance suffices for it. */
export const awaitsFunds = ({
  status,
  pending_reason,
}: Pick<Stripe.Refund, 'status' | 'pending_reason'>): boolean =>
  status === 'pending' && pending_reason === 'insufficient_funds'

const hasFailed = ({ status }: Pick<Stripe.Refund, 'status'>) => status === 'failed' || status === 'canceled'

/** What was authorised and not captured, when less than the whole was: the bank has it back as after a refund. */
export function uncapturedOf(intent: IntentFacts): GatewayRefund[] {
  const amountPence = intent.amount - intent.amount_received
  if (intent.status !== 'succeeded' || amountPence <= 0) return []
  return [{ ref: `${intent.id}_uncaptured`, key: null, amountPence, state: 'succeeded' }]
}

/** A dispute in the product's words: https://docs.stripe.com/api/disputes/object */
export function disputeOf(
  dispute: Pick<Stripe.Dispute, 'id' | 'amount' | 'status' | 'is_charge_refundable'> & {
    balance_transactions: Pick<Stripe.BalanceTransaction, 'amount' | 'fee'>[]
  },
): GatewayDispute {
  const balance = dispute.balance_transactions.reduce((sum, { amount }) => sum + amount, 0)
  const fees = dispute.balance_transactions.reduce((sum, { fee }) => sum + fee, 0)
  return {
    ref: dispute.id,
    amountPence: dispute.amount,
    withdrawnPence: Math.max(0, -balance),
    feePence: Math.max(0, fees),
    state: disputeStates[dispute.status] ?? 'open',
    isRefundable: dispute.is_charge_refundable,
  }
}

/** An inquiry that ended without a dispute took nothing; every state that is not here is open. */
const disputeStates: Partial<Record<string, GatewayDispute['state']>> = {
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
}

const isName = (value: unknown) => typeof value === 'string' && /^[\w-]{1,255}$/.test(value)

/** Whether something that Stripe has signed has the parts of an event that are read. */
export function isEvent(value: unknown): value is Stripe.Event {
  const event = value as { id?: unknown; type?: unknown; data?: { object?: unknown } } | null
  const object = event?.data?.object as { id?: unknown; payment_intent?: unknown } | null | undefined
  if (!isName(event?.id) || typeof event?.type !== 'string') return false
  if (typeof object !== 'object' || object === null) return false
  const { payment_intent: intent } = object
  const isIntent =
    intent == null ||
    isName(intent) ||
    (typeof intent === 'object' && isName((intent as { id?: unknown }).id))
  // What has no name of its own, such as a balance, is of no concern here.
  return (
    isIntent &&
    (isName(object.id) ||
      subjectOf({ type: event.type, data: { object: {} } } as Stripe.Event).kind === 'other')
  )
}

type EventSubject = { kind: WebhookEvent['kind']; intent: string | null; subject: string | null }

/** What an event is about: the intent's id, where there is one, and the id of the object itself. */
export function subjectOf(event: Stripe.Event): EventSubject {
  switch (event.type) {
    case 'payment_intent.amount_capturable_updated':
    case 'payment_intent.canceled':
    case 'payment_intent.payment_failed':
    case 'payment_intent.requires_action':
    case 'payment_intent.succeeded':
      return { kind: 'payment', intent: event.data.object.id, subject: event.data.object.id }
    case 'charge.captured':
    case 'charge.refunded':
      return { kind: 'payment', ...partOf(event.data.object) }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated': {
      const isFailure = event.type === 'refund.failed' || hasFailed(event.data.object)
      return { kind: isFailure ? 'refund failed' : 'payment', ...partOf(event.data.object) }
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return { kind: 'dispute', ...partOf(event.data.object) }
    default:
      return { kind: 'other', intent: null, subject: null }
  }
}

type PartOfPayment = { id: string; payment_intent?: string | { id: string } | null }

function partOf({ id, payment_intent: intent }: PartOfPayment) {
  return { intent: idOf(intent ?? null), subject: id }
}

/** The id of what Stripe answers as an id, or whole where it was asked to. */
export function idOf(found: string | { id: string } | null): string | null {
  return typeof found === 'string' ? found : (found?.id ?? null)
}
