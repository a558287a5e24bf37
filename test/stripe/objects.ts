import type Stripe from 'stripe'

// Whole objects, as Stripe answers them: the SDK's types see to the fields, a test to the published samples.

const now = () => Math.floor(Date.now() / 1000)
const address: Stripe.Address = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
}
const billing: Stripe.PaymentMethod.BillingDetails = {
  address,
  email: null,
  name: null,
  phone: null,
  tax_id: null,
}

export function customerObject(id: string, metadata: Stripe.Metadata): Stripe.Customer {
  return {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: now(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata,
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
}

export function setupIntentObject(
  id: string,
  given: { customer: string; usage: string; secret: string },
): Stripe.SetupIntent {
  return {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: ['card'],
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${given.secret}`,
    created: now(),
    customer: given.customer,
    description: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: given.usage,
  }
}

export type CardGiven = {
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  fingerprint: string
}

export function paymentMethodObject(id: string, given: CardGiven): Stripe.PaymentMethod {
  return {
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billing,
    card: {
      brand: given.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'GB',
      display_brand: given.brand,
      exp_month: given.exp_month,
      exp_year: given.exp_year,
      fingerprint: given.fingerprint,
      funding: 'credit',
      generated_from: null,
      last4: given.last4,
      networks: { available: [given.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
}

export function paymentIntentObject(
  id: string,
  given: {
    amount: number
    currency: string
    customer: string | null
    payment_method: string | null
    capture_method: string
    metadata: Stripe.Metadata
    secret: string
  },
): Stripe.PaymentIntent {
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: ['card'],
    amount: given.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: given.capture_method,
    client_secret: `${id}_secret_${given.secret}`,
    confirmation_method: 'automatic',
    created: now(),
    currency: given.currency,
    customer: given.customer,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: given.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: given.payment_method,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: given.payment_method === null ? 'requires_payment_method' : 'requires_confirmation',
    transfer_data: null,
    transfer_group: null,
  }
}

export function chargeObject(id: string, intent: Stripe.PaymentIntent): Stripe.Charge {
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: billing,
    calculated_statement_descriptor: null,
    captured: false,
    created: now(),
    currency: intent.currency,
    customer: intent.customer,
    description: null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: null,
    paid: true,
    payment_intent: intent.id,
    payment_method: typeof intent.payment_method === 'string' ? intent.payment_method : null,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
  }
}

export function refundObject(
  id: string,
  given: { amount: number; charge: string; payment_intent: string; metadata: Stripe.Metadata },
): Stripe.Refund {
  return {
    id,
    object: 'refund',
    amount: given.amount,
    balance_transaction: null,
    charge: given.charge,
    created: now(),
    currency: 'gbp',
    customer: null,
    customer_account: null,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    metadata: given.metadata,
    payment_intent: given.payment_intent,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}

type BalanceMovement = Pick<Stripe.BalanceTransaction, 'id' | 'object' | 'amount' | 'fee' | 'net' | 'type'>

/** What a dispute moves in the balance: with a fee, which is no part of the disputed amount. */
export function balanceMovement(id: string, amount: number): BalanceMovement {
  const fee = amount < 0 ? 2000 : 0
  return { id, object: 'balance_transaction', amount, fee, net: amount - fee, type: 'adjustment' }
}

/** The parts of a dispute that tell how it stands. */
export function disputeObject(
  id: string,
  given: {
    amount: number
    charge: string
    payment_intent: string
    status: Stripe.Dispute.Status
    balance_transactions: BalanceMovement[]
    is_charge_refundable: boolean
  },
): Stripe.Dispute {
  const dispute: Partial<Record<keyof Stripe.Dispute, unknown>> = {
    id,
    object: 'dispute',
    ...given,
    created: now(),
    currency: 'gbp',
    evidence_details: {
      due_by: now() + 7 * 86_400,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    livemode: false,
    metadata: {},
    reason: 'fraudulent',
  }
  return dispute as Stripe.Dispute
}
