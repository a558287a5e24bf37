import type { z } from 'zod'
import type { Month } from '#contract/common.ts'
import type { Balance } from '#contract/subscriptions/subscriptions.ts'
import type { Lookups } from '../../contributions/lookups.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { monthBounds } from '../../months.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { billingZone } from './months.ts'
import { statementPdf, statementTable } from './pdfs.ts'
import { day } from './format.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  lookups(): Pick<Lookups, 'payable'>
  accounts: Accounts
  practitioners: Practitioners
  payments: Payments
  seller: string
}

export type Statements = ReturnType<typeof createStatements>

/** Balances and statements of practitioners, from the ledger. */
export function createStatements(deps: Dependencies) {
  const { db, clock, accounts, practitioners, payments, lookups, seller } = deps
  return {
    async balance(caller: SignedIn): Promise<Balance> {
      const me = await practitioners.requireOwn(db, caller)
      const sums = await payments.sumBefore(db, me.id, endOfTime)
      const { held, is_withheld } = await lookups().payable(db, me.id)
      return {
        paid_by_clients: sums.paid_pence / 100,
        refunded: sums.refunded_pence / 100,
        returned_after_disputes: sums.disputed_pence / 100,
        discounts_borne_by_us: sums.discount_pence / 100,
        paid_out: sums.paid_out_pence / 100,
        owed: sums.owed_pence / 100,
        held,
        payouts_withheld: is_withheld,
        months: await payments.monthsWithMovements(db, me.id, billingZone),
      }
    },

    /** A month's movements. @throws 404 for a month that has not begun */
    async statement(caller: SignedIn, month: z.infer<typeof Month>, format: 'pdf' | 'csv') {
      const me = await practitioners.requireOwn(db, caller)
      const { from, to } = monthBounds(month, billingZone)
      const now = clock.now()
      if (from > now) throw notFound('This statement')
      const person = await accounts.person(db, caller.accountId)
      const opening = await payments.sumBefore(db, me.id, from)
      const movements = await payments.movements(db, me.id, { from, to })
      const facts = {
        month,
        seller,
        practitioner: person ? `${person.firstName} ${person.lastName}`.trim() : '',
        openingPence: opening.owed_pence,
        closingPence: movements.reduce((sum, each) => sum + each.owed_pence, opening.owed_pence),
        lines: movements.map(({ session, ...each }) => ({
          at: each.at,
          what: `${kinds[each.kind] ?? each.kind}${session?.startsAt ? `, session of ${day(session.startsAt)}` : ''}`,
          clientPence: each.client_pence,
          discountPence: each.discount_pence,
          owedPence: each.owed_pence,
          kind: kinds[each.kind] ?? each.kind,
          sessionAt: session?.startsAt ?? null,
          service: session?.isInstant ? 'Get help right now' : (session?.serviceName ?? ''),
          reference: each.payout_reference ?? each.appointment_id ?? '',
          clientInitials: initialsOf(session?.client.firstName, session?.client.lastName),
        })),
        madeAt: now,
        isOver: to <= now,
      }
      const name = `hearth-statement-${month}.${format}`
      return format === 'pdf'
        ? { name, type: 'application/pdf', bytes: await statementPdf(facts) }
        : { name, type: 'text/csv; charset=utf-8', bytes: statementTable(facts) }
    },
  }
}

/** `M.W.`; empty once the client's account is deleted. */
const initialsOf = (...names: (string | undefined)[]) =>
  names
    .map((name) => /\p{L}/u.exec(name ?? '')?.[0])
    .filter((letter) => letter !== undefined)
    .map((letter) => `${letter.toLocaleUpperCase('en-GB')}.`)
    .join('')

const kinds: Record<string, string> = {
  capture: 'Payment',
  refund: 'Refund',
  refund_failed: 'Refund returned by the client’s bank',
  refund_paid_otherwise: 'Refund by bank transfer',
  dispute_charged: 'Payment returned after a dispute',
  payout: 'Paid out to you',
  payout_reversed: 'Payout reversed',
}
const endOfTime = new Date('9999-01-01T00:00:00Z')
