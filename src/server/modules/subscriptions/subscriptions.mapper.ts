import type { Card } from '#contract/payments.ts'
import type { VideoOrder } from '#contract/back-office/practitioners.ts'
import type {
  Invoice,
  Subscription,
  TherapistCard,
  VideoProduction,
} from '#contract/subscriptions/subscriptions.ts'
import type { VideoProgress } from '#contract/subscriptions/video-orders.ts'
import type { InvoiceRow } from './invoices.store.ts'
import { invoiceStatus, lapsesAt, statusOf, videoOffer, videoPrice } from './subscriptions.rules.ts'
import type { SubscriptionRow, VideoOrderRow, VideoRow } from './subscriptions.store.ts'
import {
  isProposalExpired,
  lastStep,
  stateOf,
  type VideoCourse,
  versionOf,
  videoUndoIn,
  waitingUpload,
} from './video-orders.rules.ts'

export function toTherapistCard(card: Card): TherapistCard {
  const { customer_id, brand, last4, expiry_month, expiry_year } = card
  return { payment_method_id: customer_id, brand, last4, expiry_month, expiry_year }
}

export function toSubscription(row: SubscriptionRow, hasLapsed: boolean): Subscription {
  const isRenewed = row.state === 'active' || row.state === 'past_due'
  return {
    status: statusOf(row.state) ?? 'ended',
    price: row.price_pence / 100,
    paid_until: row.paid_until?.toISOString() ?? null,
    begun: row.payments > 0,
    next_charge_at: isRenewed ? (row.due_at?.toISOString() ?? null) : null,
    lapses_at: row.state === 'past_due' && row.failed_since ? lapsesAt(row.failed_since).toISOString() : null,
    paused_for: hasLapsed && row.state !== 'cancelling' ? 'documents' : null,
  }
}

export function toVideoProduction(
  row: VideoRow | undefined,
  accountSince: Date,
  now: Date,
  progress: VideoProgress | null,
): VideoProduction {
  const full_price = videoPrice.full / 100
  if (row?.ordered_at) {
    return {
      status: 'ordered',
      price: row.price_pence / 100,
      full_price,
      offer_ends_at: null,
      ordered_at: row.ordered_at.toISOString(),
      progress,
    }
  }
  const { pricePence, offerEndsAt } = videoOffer(accountSince, now)
  return {
    status: 'not_ordered',
    price: pricePence / 100,
    full_price,
    offer_ends_at: offerEndsAt?.toISOString() ?? null,
    ordered_at: null,
    progress: null,
  }
}

export function toVideoProgress(course: VideoCourse, timezone: string, now: Date): VideoProgress {
  const state = stateOf(course)
  const last = lastStep(course)
  const isProposed = state === 'dates_proposed' && last !== undefined
  return {
    state,
    version: versionOf(course),
    dates: isProposed ? last.dates.map((date) => date.toISOString()) : [],
    dates_expired: isProposed && isProposalExpired(last, now),
    agreed_date: state === 'date_agreed' ? (last?.date?.toISOString() ?? null) : null,
    note: state === 'dates_asked' || state === 'change_asked' ? (last?.note ?? null) : null,
    uploaded_at: waitingUpload(course)?.at.toISOString() ?? null,
    timezone,
  }
}

export function toInvoice(row: InvoiceRow): Invoice {
  return {
    id: row.id,
    number: numberOf(row),
    issued_at: row.issued_at.toISOString(),
    description: row.description,
    amount: row.amount_pence / 100,
    refunded: row.refunded_pence / 100,
    status: invoiceStatus(row),
  }
}

/** `2026-0007`. */
export function numberOf({ year, serial }: Pick<InvoiceRow, 'year' | 'serial'>): string {
  return `${year}-${String(serial).padStart(4, '0')}`
}

export function toOrderedVideo(
  row: VideoOrderRow,
): Pick<VideoOrder, 'practitioner_id' | 'full_name' | 'price' | 'ordered_at'> {
  return {
    practitioner_id: row.practitioner_id,
    full_name: `${row.first_name} ${row.last_name}`.trim(),
    price: row.price_pence / 100,
    ordered_at: row.ordered_at.toISOString(),
  }
}

export function toVideoOrder(row: VideoOrderRow, course: VideoCourse, now: Date): VideoOrder {
  return {
    ...toOrderedVideo(row),
    ...toVideoProgress(course, row.timezone, now),
    email: row.email,
    done_at: course.done_at?.toISOString() ?? null,
    undo: videoUndoIn[stateOf(course)] ?? null,
  }
}
