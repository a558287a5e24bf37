import { formatPence, pounds } from '#contract/money.ts'
import type { Deps } from '../../deps.ts'
import type { PaymentGateway } from '../../integrations/payment-gateway/port.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { PersonalData } from '../../contributions/personal-data.ts'
import { paymentsDeleteCardsJob } from './payments.jobs.ts'
import * as store from './personal-data.store.ts'
import type { DisputeState, RefundState } from './reconciliation.rules.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'queue'> & { gateway: PaymentGateway }

/** Cards and payments. The ledger holds no personal data and is not erased. */
export function paymentsPersonalData({ db, clock, queue, gateway }: Dependencies) {
  /** Removes the cards of a deleted account at the gateway. Idempotent. */
  async function deleteCards(accountId: string): Promise<void> {
    for (const card of await store.listUnforgotten(db, accountId, gateway.name)) {
      await gateway.removeCard(card.gateway_ref)
      await inTransaction(db, (tx) => store.noteForgotten(tx, accountId, card.id))
    }
    await gateway.deleteOwner(accountId)
  }

  const data: PersonalData = {
    tables: ['payment_methods', 'payment_intents', 'refunds', 'disputes'],
    namedBy: { payment_methods: 'account_id' },
    kept: [
      {
        what: 'Payments and refunds: the amount, the day, and the brand and last four digits of the card.',
        why: 'Tax law asks for records of what was paid.',
        how_long: 'Six years after the end of the tax year.',
        tables: ['payment_methods'],
      },
      {
        what: 'Of a card that has had a friend’s discount: a fingerprint that does not tell its number.',
        why: 'The discount is for first sessions, once per card.',
        how_long: 'As long as the payment that it belongs to.',
        tables: ['payment_methods'],
      },
      {
        what: 'What our payment provider keeps of its own card payments.',
        why: 'The law asks it of them as it does of us. Your saved cards are removed there too.',
        how_long: 'As its own privacy policy says.',
        tables: [],
      },
    ],

    async exported(handle, { accountId }) {
      const cards = await store.listCards(handle, accountId)
      const payments = await store.listPayments(handle, accountId)
      const refunds = byPayment(await store.listRefundsTo(handle, accountId))
      const disputes = byPayment(await store.listDisputesOf(handle, accountId))
      return [
        {
          title: 'Your saved cards',
          about: 'What we know of them. Their numbers are with the payment provider alone.',
          entries: cards.filter(({ removed_at }) => removed_at === null).map(toCardEntry),
        },
        {
          title: 'Your removed cards',
          about: 'Cards that you removed, or used for one session alone. Nothing can be paid with them.',
          entries: cards.flatMap((card) =>
            card.removed_at ? [{ ...toCardEntry(card), removed_at: card.removed_at.toISOString() }] : [],
          ),
        },
        {
          title: 'Your payments',
          about:
            'Every payment that was begun, newest first, with what came of it. The session has the same number under “Your sessions”.',
          entries: payments.map((payment) =>
            toEntry(payment, refunds.get(payment.id) ?? [], disputes.get(payment.id) ?? []),
          ),
        },
      ]
    },

    async hindrances(handle, { accountId }) {
      const underWay = await store.listUnderWay(handle, accountId)
      const refunds = await store.listOwedRefunds(handle, accountId)
      const soon = 'It usually finishes within minutes. Please come back a little later.'
      return [
        ...underWay.map(({ amount_pence }) => ({
          message: `A payment of ${formatPence(amount_pence)} is still under way.`,
          way_out: soon,
        })),
        ...refunds.map((refund) => {
          const message = `A refund of ${formatPence(refund.amount_pence)} ${refundLabel(refund)}.`
          if (refund.state === 'failed') {
            return {
              message,
              way_out: 'We will pay it to you in another way. Please come back once you have it.',
            }
          }
          if (!refund.is_disputed) return { message, way_out: soon }
          return {
            message,
            way_out: 'We send it once your bank has decided, which can take weeks. Please come back then.',
          }
        }),
      ].map((each) => ({ ...each, kind: 'money_under_way' as const, starts_at: null, path: null }))
    },

    async erase(tx, { accountId }) {
      await store.eraseCards(tx, accountId, clock.now())
      await queue.enqueue(tx, paymentsDeleteCardsJob, { account_id: accountId })
    },

    followUp: ({ accountId }) => deleteCards(accountId),
  }
  return { ...data, deleteCards }
}

type CardRow = Awaited<ReturnType<typeof store.listCards>>[number]
type Payment = Awaited<ReturnType<typeof store.listPayments>>[number]
type Refund = Awaited<ReturnType<typeof store.listRefundsTo>>[number]
type Dispute = Awaited<ReturnType<typeof store.listDisputesOf>>[number]

const toCardEntry = (card: CardRow) => ({
  brand: card.brand,
  last_four_digits: card.last4,
  expires: `${card.expiry_year}-${String(card.expiry_month).padStart(2, '0')}`,
  saved_at: card.created_at.toISOString(),
})

const byPayment = <Row extends { payment_intent_id: string }>(rows: readonly Row[]) =>
  Map.groupBy(rows, (row) => row.payment_intent_id)

/** A payment in the export, with its refunds and disputes. Sums in pounds. */
function toEntry(payment: Payment, refunds: readonly Refund[], disputes: readonly Dispute[]) {
  const returnedPence = [
    ...refunds
      .filter(({ state }) => state === 'succeeded' || state === 'paid_otherwise')
      .map((refund) => refund.amount_pence),
    ...disputes.filter(({ state }) => state === 'lost').map((dispute) => dispute.withdrawn_pence),
  ].reduce((total, pence) => total + pence, 0)
  return {
    session: payment.appointment_id,
    begun_at: payment.created_at.toISOString(),
    amount: pounds(payment.amount_pence),
    discount_paid_by_us: pounds(payment.discount_pence),
    outcome: outcomeLabels[payment.state],
    returned_to_you: pounds(returnedPence),
    refunds: refunds.map((refund) => ({
      requested_at: refund.created_at.toISOString(),
      amount: pounds(refund.amount_pence),
      state: refundLabel(refund),
      sent_to_your_card_at: refund.succeeded_at?.toISOString() ?? null,
    })),
    disputed_by_your_bank: disputes.length > 0,
    disputes: disputes.map((dispute) => ({
      began_at: dispute.opened_at.toISOString(),
      amount: pounds(dispute.amount_pence),
      outcome: disputeLabels[dispute.state],
      ended_at: dispute.closed_at?.toISOString() ?? null,
    })),
    card: `${payment.brand} ending in ${payment.last4}`,
  }
}

const outcomeLabels: Record<Payment['state'], string> = {
  authorising: 'under way',
  requires_action: 'waiting for your bank',
  authorised: 'reserved on the card, not taken',
  declined: 'declined by the bank, nothing was taken',
  capturing: 'paid',
  captured: 'paid',
  voiding: 'let go of, nothing was taken',
  voided: 'let go of, nothing was taken',
}

/** The state of a refund, as the end of a sentence that begins with it. */
function refundLabel({ state, is_disputed }: Pick<Refund, 'state' | 'is_disputed'>): string {
  if (state === 'requested' && is_disputed) return 'waits for your bank, which is looking into this payment'
  return refundLabels[state]
}

const refundLabels: Record<RefundState, string> = {
  requested: 'is on its way to you',
  succeeded: 'was sent back to your card',
  failed: 'did not reach your card: your bank sent it back',
  withdrawn: 'was not sent: there was nothing left to return',
  paid_otherwise: 'did not reach your card, and was paid to you by bank transfer',
}

const disputeLabels: Record<DisputeState, string> = {
  open: 'your bank has not decided yet',
  won: 'it ended, and your bank has not taken this sum back',
  lost: 'your bank has taken this sum back for you',
}
