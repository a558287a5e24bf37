import type { Card } from '#contract/payments.ts'
import type { VideoOrder } from '#contract/practice-desk.ts'
import type { Invoice, Subscription, TherapistCard, VideoProduction } from '#contract/subscriptions.ts'
import type { InvoiceRow } from './invoices.store.ts'
import { lapsesAt, statusOf, videoOffer, videoPrice } from './subscriptions.rules.ts'
import type { SubscriptionRow, VideoOrderRow, VideoRow } from './subscriptions.store.ts'

export function toTherapistCard(card: Card): TherapistCard {
  const { customer_id, brand, last4, expiry_month, expiry_year } = card
  return { payment_method_id: customer_id, brand, last4, expiry_month, expiry_year }
}

export function toSubscription(row: SubscriptionRow): Subscription {
  const isRenewed = row.state === 'active' || row.state === 'past_due'
  return {
    status: statusOf(row.state) ?? 'ended',
    price: row.price_pence / 100,
    paid_until: row.paid_until?.toISOString() ?? null,
    next_charge_at: isRenewed ? (row.due_at?.toISOString() ?? null) : null,
    lapses_at: row.state === 'past_due' && row.failed_since ? lapsesAt(row.failed_since).toISOString() : null,
  }
}

export function toVideoProduction(row: VideoRow | undefined, accountSince: Date, now: Date): VideoProduction {
  const full_price = videoPrice.full / 100
  if (row?.ordered_at) {
    return {
      status: 'ordered',
      price: row.price_pence / 100,
      full_price,
      offer_ends_at: null,
      ordered_at: row.ordered_at.toISOString(),
    }
  }
  const { pricePence, offerEndsAt } = videoOffer(accountSince, now)
  return {
    status: 'not_ordered',
    price: pricePence / 100,
    full_price,
    offer_ends_at: offerEndsAt?.toISOString() ?? null,
    ordered_at: null,
  }
}

export function toInvoice(row: InvoiceRow): Invoice {
  return {
    id: row.id,
    number: numberOf(row),
    issued_at: row.issued_at.toISOString(),
    description: row.description,
    amount: row.amount_pence / 100,
  }
}

/** `2026-0007`. */
export function numberOf({ year, serial }: Pick<InvoiceRow, 'year' | 'serial'>): string {
  return `${year}-${String(serial).padStart(4, '0')}`
}

export function toVideoOrder(row: VideoOrderRow): VideoOrder {
  return {
    practitioner_id: row.practitioner_id,
    full_name: `${row.first_name} ${row.last_name}`.trim(),
    email: row.email,
    price: row.price_pence / 100,
    ordered_at: row.ordered_at.toISOString(),
    done_at: row.done_at?.toISOString() ?? null,
  }
}
