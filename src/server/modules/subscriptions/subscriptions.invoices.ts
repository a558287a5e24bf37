import type { Invoice } from '#contract/subscriptions/subscriptions.ts'
import type { Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import { notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import * as invoices from './invoices.store.ts'
import { billingYear, dayBefore } from './months.ts'
import { invoicePdf } from './pdfs.ts'
import type { BillingOutbox } from './subscriptions.outbox.ts'
import { numberOf, toInvoice } from './subscriptions.mapper.ts'
import * as store from './subscriptions.store.ts'
import { day } from './format.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random'> & {
  accounts: Accounts
  practitioners: Practitioners
  outbox: BillingOutbox
  /** Name and address of the seller on invoices. */
  seller: string
}

export type Invoices = ReturnType<typeof createInvoices>

/** Writes an invoice and a mailed receipt for every captured charge. */
export function createInvoices({ db, clock, random, accounts, practitioners, outbox, seller }: Dependencies) {
  return {
    /** Writes the invoice in the transaction of the capture, with the next number of the year. */
    async captured(tx: Tx, { chargeId, accountId, amountPence }: Events['charge.captured']): Promise<void> {
      const me = await practitioners.ofAccount(tx, accountId)
      if (!me) throw new Error('Somebody was charged who is not a practitioner.')
      const person = await accounts.person(tx, accountId)
      const month = await store.findMonth(tx, chargeId)
      const now = clock.now()
      const year = billingYear(now)
      const description = month
        ? `Hearth subscription, ${day(month.starts_at)} to ${day(dayBefore(month.ends_at))}`
        : 'Production of a profile video over a video call'
      const invoice = {
        id: random.uuid(now),
        charge_id: chargeId,
        practitioner_id: me.id,
        year,
        serial: await invoices.nextSerial(tx, year),
        seller,
        buyer: person ? `${person.firstName} ${person.lastName}`.trim() : '',
        description,
        amount_pence: amountPence,
        issued_at: now,
      }
      await invoices.insertInvoice(tx, invoice)
      const renewed = month && (await store.findLive(tx, me.id))
      await outbox.note(tx, me.id, 'receipt', {
        description,
        amount_pence: amountPence,
        number: numberOf(invoice),
        until: month?.ends_at.toISOString() ?? null,
        next_charge_at: renewed?.state === 'active' ? (month?.ends_at.toISOString() ?? null) : null,
      })
    },

    /**
     * Notifies the practitioner of a refund made at the gateway. The paid month runs to its end. A charge without an
     * invoice was captured and refunded outside the product, and sends no mail.
     */
    refunded: (tx: Tx, { chargeId, amountPence }: Events['charge.refunded']) =>
      tellOf(tx, 'charge_refunded', chargeId, amountPence),

    /** Notifies the practitioner that their bank disputes a charge. */
    disputed: (tx: Tx, { chargeId, amountPence }: Events['charge.disputed']) =>
      tellOf(tx, 'charge_disputed', chargeId, amountPence),

    /** The caller's invoices, newest first. */
    async list(caller: SignedIn): Promise<Invoice[]> {
      const me = await practitioners.requireOwn(db, caller)
      return (await invoices.listInvoices(db, me.id)).map(toInvoice)
    },

    /** @throws 404 for an unknown invoice or another practitioner's */
    async pdf(caller: SignedIn, id: string): Promise<{ name: string; type: string; bytes: Buffer }> {
      const me = await practitioners.requireOwn(db, caller)
      const row = await invoices.findInvoice(db, me.id, id)
      if (!row) throw notFound('This invoice')
      const number = numberOf(row)
      return {
        name: `hearth-invoice-${number}.pdf`,
        type: 'application/pdf',
        bytes: await invoicePdf({
          number,
          seller: row.seller,
          buyer: row.buyer,
          description: row.description,
          amountPence: row.amount_pence,
          issuedAt: row.issued_at,
          refundedPence: row.refunded_pence,
          takenBackPence: row.taken_back_pence,
          isDisputed: row.dispute_state === 'open',
        }),
      }
    },
  }

  async function tellOf(
    tx: Tx,
    kind: 'charge_refunded' | 'charge_disputed',
    chargeId: string,
    amountPence: number,
  ): Promise<void> {
    const invoice = await invoices.findInvoiceOfCharge(tx, chargeId)
    if (!invoice) return
    const month = await store.findMonth(tx, chargeId)
    await outbox.note(tx, invoice.practitioner_id, kind, {
      description: invoice.description,
      amount_pence: amountPence,
      number: numberOf(invoice),
      until: month && month.ends_at > clock.now() ? month.ends_at.toISOString() : null,
    })
  }
}
