import type Stripe from 'stripe'
import type { Ledger, StripeObjects, StripeType } from './ledger.ts'
import {
  balanceMovement,
  chargeObject,
  customerObject,
  disputeObject,
  paymentIntentObject,
  paymentMethodObject,
  refundObject,
  setupIntentObject,
} from './objects.ts'
import type { Form } from './parameters.ts'
import { invalid, missing, Refused } from './refused.ts'

/** What a bank says no with, by how it was told to behave. */
const refusals: Record<string, { code: string; decline_code?: string; message: string }> = {
  card_declined: {
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  },
  insufficient_funds: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  expired_card: { code: 'expired_card', message: 'Your card has expired.' },
  incorrect_cvc: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
}

const text = (value: string | Form | undefined) => (typeof value === 'string' ? value : '')
const metadataOf = (form: Form) =>
  Object.fromEntries(Object.entries(form.metadata ?? {}).map(([name, value]) => [name, String(value)]))

/** What Stripe does when it is asked to, on its books. Each throws `Refused` as Stripe would answer. */
export function stripeBank(ledger: Ledger) {
  const announce = (type: string, object: { id: string }): void => {
    const id = ledger.id('evt')
    ledger.addEvent({
      id,
      object: 'event',
      api_version: '2026-10-28.endive',
      created: Math.floor(Date.now() / 1000),
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: null,
      type,
    })
  }
  /** `param`: where the request names it. */
  const find = <K extends StripeType>(type: K, id: string, param?: string): StripeObjects[K] => {
    const found = ledger.get(type, id)
    if (!found) throw missing(type, id, param)
    return found
  }
  const removedCustomers = new Set<string>()
  const intentOf = (id: string) => find('payment_intent', id)
  const chargeOf = (intent: Stripe.PaymentIntent) => find('charge', String(intent.latest_charge))
  const unexpected = (intent: Stripe.PaymentIntent, what: string) =>
    invalid(`This PaymentIntent could not be ${what} because it has a status of ${intent.status}.`, {
      code: 'payment_intent_unexpected_state',
      payment_intent: intent,
    })

  /** The bank has agreed: the amount is reserved. */
  function reserve(intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
    const charge = ledger.put(chargeObject(ledger.id('ch'), intent))
    Object.assign(intent, {
      status: 'requires_capture',
      amount_capturable: intent.amount,
      latest_charge: charge.id,
      next_action: null,
      last_payment_error: null,
    })
    announce('payment_intent.amount_capturable_updated', ledger.put(intent))
    return intent
  }

  function decline(
    intent: Stripe.PaymentIntent,
    error: { code: string; message: string },
  ): Stripe.PaymentIntent {
    Object.assign(intent, {
      status: 'requires_payment_method',
      payment_method: null,
      next_action: null,
      last_payment_error: { type: 'card_error', ...error },
    })
    announce('payment_intent.payment_failed', ledger.put(intent))
    return intent
  }

  function putDispute(
    id: string,
    given: Pick<Stripe.Dispute, 'status' | 'is_charge_refundable'>,
  ): Stripe.Dispute {
    const charge = ledger.put({ ...chargeOf(intentOf(id)), disputed: true })
    const dispute = disputeObject(ledger.id('du'), {
      amount: charge.amount - charge.amount_refunded,
      charge: charge.id,
      payment_intent: id,
      balance_transactions: [],
      ...given,
    })
    announce('charge.dispute.created', ledger.put(dispute))
    return dispute
  }
  function withdraw(dispute: Stripe.Dispute): void {
    const movement = balanceMovement(ledger.id('txn'), -dispute.amount)
    const withdrawn = { ...dispute, balance_transactions: [movement] } as Stripe.Dispute
    announce('charge.dispute.funds_withdrawn', ledger.put(withdrawn))
  }
  /** A client asks their bank to take a payment back: what is left of it is withdrawn. Its id. */
  function openDispute(id: string): string {
    const dispute = putDispute(id, { status: 'needs_response', is_charge_refundable: false })
    withdraw(dispute)
    return dispute.id
  }
  /** The bank decides a dispute, or an inquiry ends without one. */
  function closeDispute(id: string, status: 'won' | 'lost' | 'warning_closed'): void {
    const dispute = { ...find('dispute', id), status }
    announce('charge.dispute.closed', ledger.put(dispute))
    if (status !== 'won') return
    const back = balanceMovement(ledger.id('txn'), dispute.amount) as Stripe.BalanceTransaction
    const reinstated = { ...dispute, balance_transactions: [...dispute.balance_transactions, back] }
    announce('charge.dispute.funds_reinstated', ledger.put(reinstated))
  }

  return {
    createCustomer(form: Form) {
      return ledger.put(customerObject(ledger.id('cus'), metadataOf(form)))
    },
    customer: (id: string) =>
      removedCustomers.has(id) ? { id, object: 'customer', deleted: true } : find('customer', id),
    removeCustomer(id: string) {
      find('customer', id)
      ledger.remove(id)
      removedCustomers.add(id)
      for (const method of ledger.all('payment_method'))
        if (method.customer === id) ledger.put({ ...method, customer: null })
      return { id, object: 'customer', deleted: true }
    },

    createSetup(form: Form) {
      find('customer', text(form.customer), 'customer')
      const given = {
        customer: text(form.customer),
        usage: text(form.usage),
        secret: ledger.id('s').slice(2),
      }
      return ledger.put(setupIntentObject(ledger.id('seti'), given))
    },

    method: (id: string) => find('payment_method', id),
    detach(id: string) {
      const method = find('payment_method', id)
      if (method.customer === null)
        throw invalid(
          'The payment method you provided is not attached to a customer so detachment is impossible.',
        )
      return ledger.put({ ...method, customer: null })
    },

    intent: intentOf,
    createIntent(form: Form) {
      if (form.customer !== undefined) find('customer', text(form.customer), 'customer')
      const card = form.payment_method
      const method = card === undefined ? null : find('payment_method', text(card), 'payment_method')
      if (Number(form.amount) < 30)
        throw invalid('Amount must be at least 30 pence', { code: 'amount_too_small' })
      if (method && method.customer !== form.customer)
        throw invalid('The PaymentMethod was detached from a Customer. It may not be used again.')
      const intent = paymentIntentObject(ledger.id('pi'), {
        amount: Number(form.amount),
        currency: text(form.currency),
        customer: form.customer === undefined ? null : text(form.customer),
        payment_method: method?.id ?? null,
        capture_method: text(form.capture_method) || 'automatic',
        metadata: metadataOf(form),
        secret: ledger.id('s').slice(2),
      })
      announce('payment_intent.created', intent)
      return ledger.put(intent)
    },
    confirmIntent(id: string, form: Form) {
      const intent = intentOf(id)
      if (intent.status !== 'requires_confirmation') throw unexpected(intent, 'confirmed')
      const behaviour = ledger.bank(String(intent.payment_method))
      const refusal = refusals[behaviour]
      const isAbsent = form.off_session === 'true'
      const asks = behaviour === 'requires_action'
      if (!refusal && !asks && behaviour !== 'authentication_required') return reserve(intent)
      // Some banks decline for want of authentication although the cardholder is there.
      if (refusal || isAbsent || behaviour === 'authentication_required') {
        const error = refusal ?? {
          code: 'authentication_required',
          decline_code: 'authentication_required',
          message: 'Your card was declined. This transaction requires authentication.',
        }
        const declined = decline(intent, error)
        throw new Refused(402, { type: 'card_error', ...error, payment_intent: declined })
      }
      if (form.use_stripe_sdk !== 'true') throw invalid('A return_url is needed.', { param: 'return_url' })
      Object.assign(intent, {
        status: 'requires_action',
        next_action: { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'stripe_3ds2_fingerprint' } },
      })
      announce('payment_intent.requires_action', ledger.put(intent))
      return intent
    },
    captureIntent(id: string, form: Form = {}) {
      const intent = intentOf(id)
      if (intent.status !== 'requires_capture') throw unexpected(intent, 'captured')
      const amount = form.amount_to_capture === undefined ? intent.amount : Number(form.amount_to_capture)
      const charge = ledger.put({
        ...chargeOf(intent),
        captured: true,
        amount_captured: amount,
        // What is not captured goes back.
        amount_refunded: intent.amount - amount,
      })
      announce('charge.captured', charge)
      Object.assign(intent, { status: 'succeeded', amount_capturable: 0, amount_received: amount })
      announce('payment_intent.succeeded', ledger.put(intent))
      return intent
    },
    cancelIntent(id: string) {
      const intent = intentOf(id)
      if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpected(intent, 'canceled')
      if (intent.latest_charge) {
        const charge = chargeOf(intent)
        ledger.put({ ...charge, refunded: true, amount_refunded: charge.amount })
      }
      Object.assign(intent, {
        status: 'canceled',
        amount_capturable: 0,
        canceled_at: Math.floor(Date.now() / 1000),
        next_action: null,
      })
      announce('payment_intent.canceled', ledger.put(intent))
      return intent
    },

    createRefund(form: Form) {
      const intent = intentOf(text(form.payment_intent))
      if (intent.status !== 'succeeded')
        throw invalid('This PaymentIntent does not have a successful charge to refund.')
      const charge = chargeOf(intent)
      if (
        charge.disputed &&
        ledger
          .all('dispute')
          .some(
            (each) =>
              each.charge === charge.id &&
              !each.is_charge_refundable &&
              each.status !== 'won' &&
              each.status !== 'warning_closed',
          )
      )
        throw invalid('This charge has been charged back.', { code: 'charge_disputed' })
      const amount = form.amount === undefined ? charge.amount - charge.amount_refunded : Number(form.amount)
      if (amount > charge.amount - charge.amount_refunded)
        throw invalid(`Refund amount is greater than unrefunded amount on charge.`)
      const after = ledger.put({
        ...charge,
        amount_refunded: charge.amount_refunded + amount,
        refunded: charge.amount_refunded + amount === charge.amount,
      })
      announce('charge.refunded', after)
      const refund = refundObject(ledger.id('re'), {
        amount,
        charge: charge.id,
        payment_intent: intent.id,
        metadata: metadataOf(form),
      })
      announce('refund.created', refund)
      if (after.refunded)
        for (const each of ledger.all('dispute'))
          if (each.charge === charge.id && each.status === 'warning_needs_response')
            closeDispute(each.id, 'warning_closed')
      return ledger.put(refund)
    },
    refundsOf: (intent: string) => ledger.all('refund').filter((refund) => refund.payment_intent === intent),
    delayRefund: (id: string) =>
      ledger.put({ ...find('refund', id), status: 'pending', pending_reason: 'insufficient_funds' }),
    sendRefund: (id: string): void =>
      announce('refund.updated', ledger.put({ ...find('refund', id), status: 'succeeded' })),
    /** The client's bank sends the money back. */
    failRefund(id: string): void {
      const refund = find('refund', id)
      const charge = find('charge', String(refund.charge))
      ledger.put({
        ...charge,
        amount_refunded: charge.amount_refunded - refund.amount,
        refunded: false,
      })
      const failed = ledger.put({ ...refund, status: 'failed' })
      announce('refund.updated', failed)
      announce('refund.failed', failed)
    },

    disputesOf: (intent: string) =>
      ledger.all('dispute').filter((dispute) => dispute.payment_intent === intent),
    openDispute,
    /** A client asks their bank about a payment, which asks in turn and withdraws nothing. Its id. */
    openInquiry: (id: string): string =>
      putDispute(id, { status: 'warning_needs_response', is_charge_refundable: true }).id,
    /** An inquiry becomes a dispute. */
    escalate(id: string): void {
      const dispute = find('dispute', id)
      withdraw({ ...dispute, status: 'needs_response', is_charge_refundable: false })
    },
    closeDispute,

    /** What Stripe.js does with a card: saves it for the customer of a setup intent. */
    saveCard(
      secret: string,
      card: { number: string; exp_month: number; exp_year: number },
      behaviour: string,
    ) {
      const intent = find('setup_intent', secret.split('_secret_')[0] ?? '')
      if (intent.client_secret !== secret) throw missing('setupintent', intent.id)
      const refusal = refusals[behaviour]
      if (refusal) throw new Refused(402, { type: 'card_error', ...refusal, setup_intent: intent })
      const method = paymentMethodObject(ledger.id('pm'), {
        brand: card.number.startsWith('5') ? 'mastercard' : card.number.startsWith('3') ? 'amex' : 'visa',
        last4: card.number.slice(-4),
        exp_month: card.exp_month,
        exp_year: card.exp_year,
        fingerprint: `fp${card.number.split('').reduce((sum, digit) => (sum * 31 + Number(digit)) % 1e9, 7)}`,
      })
      ledger.setBank(method.id, behaviour)
      if (behaviour === 'requires_action') {
        ledger.put(method)
        return ledger.put({
          ...intent,
          payment_method: method.id,
          status: 'requires_action',
          next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} },
        })
      }
      ledger.put({ ...method, customer: intent.customer as string })
      announce('setup_intent.succeeded', intent)
      return ledger.put({ ...intent, payment_method: method.id, status: 'succeeded' })
    },

    /** The client's answer on the bank's authentication page. */
    answer(secret: string, isRight: boolean): Stripe.PaymentIntent | Stripe.SetupIntent {
      const [id = ''] = secret.split('_secret_')
      if (id.startsWith('seti_')) {
        const setup = find('setup_intent', id)
        if (setup.client_secret !== secret || setup.status !== 'requires_action')
          throw missing('setupintent', id)
        if (!isRight) {
          const error = { type: 'invalid_request_error', code: 'setup_intent_authentication_failure' }
          return ledger.put({
            ...setup,
            status: 'requires_payment_method',
            payment_method: null,
            next_action: null,
            last_setup_error: error as Stripe.SetupIntent.LastSetupError,
          })
        }
        const method = find('payment_method', String(setup.payment_method))
        ledger.put({ ...method, customer: setup.customer as string })
        announce('setup_intent.succeeded', setup)
        return ledger.put({ ...setup, status: 'succeeded', next_action: null })
      }
      const intent = intentOf(id)
      if (intent.client_secret !== secret || intent.status !== 'requires_action')
        throw unexpected(intent, 'confirmed')
      return isRight
        ? reserve(intent)
        : decline(intent, {
            code: 'payment_intent_authentication_failure',
            message: 'We are unable to authenticate your payment method.',
          })
    },
  }
}

export type StripeBank = ReturnType<typeof stripeBank>
