import type {
  SearchWish,
  WaitingClient,
  WaitlistEntry,
  WaitlistOffer,
  WaitlistOfferKind,
} from '#contract/waitlist/waitlist.ts'
import { pounds } from '#contract/money.ts'
import type { AppointmentRow } from '../bookings/bookings.store.ts'
import type { BookableService, KnownCard } from '../practitioners/practitioners.service.ts'
import { initials, toWireWindows } from './waitlist.rules.ts'
import type { listOpenOf, OfferRow } from './offers.store.ts'
import type { EntryRow, listEntriesFor } from './waitlist.store.ts'
import type { WishRow } from './wishes.store.ts'

const toPractitioner = (card: KnownCard) => ({
  practitioner_id: card.practitioner_id,
  full_name: card.full_name,
  main_image: card.main_image,
  timezone: card.timezone,
})

/** What a client waits for, as it was sent. */
export const toTerms = (row: EntryRow) => ({
  service_id: row.service_id,
  appointment_type: row.appointment_type,
  windows: toWireWindows(row.windows),
  earliest: row.earliest,
  latest: row.latest,
  lead_minutes: row.lead_minutes,
  timezone: row.timezone,
})

export function toEntry(
  row: EntryRow,
  around: {
    card: KnownCard
    service: BookableService | undefined
    /** The session that is to be replaced, and until when it can be. */
    swap: { startsAt: Date; until: Date | null } | undefined
    place: { place: number; waiting: number }
    offers: Awaited<ReturnType<typeof listOpenOf>>
  },
): WaitlistEntry {
  const { card, service, offers } = around
  const hasPlace = row.state === 'waiting' || row.state === 'offered'
  return {
    entry_id: row.id,
    practitioner: toPractitioner(card),
    ...toTerms(row),
    service_name: row.service_name,
    duration: service?.duration_minutes ?? null,
    fee: service ? pounds(service.fee_pence) : null,
    swaps: row.swaps_appointment_id
      ? {
          appointment_id: row.swaps_appointment_id,
          starts_at: around.swap?.startsAt.toISOString() ?? null,
          possible: around.swap?.until != null,
        }
      : null,
    state: row.state,
    paused_by: row.paused_by,
    place: hasPlace ? around.place.place : null,
    waiting: around.place.waiting,
    joined_at: row.joined_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    misses: row.misses,
    offers: offers.map((offer) => ({
      offer_id: offer.id,
      kind: offer.kind,
      starts_at: offer.starts_at.toISOString(),
      expires_at: offer.turn_ends_at?.toISOString() ?? null,
    })),
  }
}

type OfferSurroundings = {
  now: Date
  card: KnownCard
  entry: EntryRow
  appointment: AppointmentRow | undefined
  price: { feePence: number; discountPence: number }
  isFree: boolean
  location: WaitlistOffer['location']
  endsAt: Date
  changeUntil: Date
  changeUntilBeforeStart: boolean
  swap:
    | {
        id: string
        startsAt: Date
        refundPence: number
        discountPence: number
        dispute: 'open' | 'won' | 'lost' | undefined
        until: Date | null
      }
    | undefined
}

export function toOffer(row: OfferRow, around: OfferSurroundings): WaitlistOffer {
  const { appointment, card, entry, price, swap } = around
  const end = row.state === 'open' ? (appointment?.hold_expires_at ?? null) : row.expires_at
  return {
    offer_id: row.id,
    entry_id: row.entry_id,
    kind: row.kind satisfies WaitlistOfferKind,
    state: row.state,
    entry_state: entry.state,
    practitioner: toPractitioner(card),
    appointment_id: row.appointment_id,
    service_id: appointment?.service_id ?? entry.service_id,
    service_name: appointment?.service_name ?? entry.service_name,
    appointment_type: appointment?.appointment_type ?? entry.appointment_type,
    location: around.location,
    starts_at: row.starts_at.toISOString(),
    ends_at: around.endsAt.toISOString(),
    timezone: row.timezone,
    fee: pounds(price.feePence - price.discountPence),
    full_fee: pounds(price.feePence),
    discount: pounds(price.discountPence),
    expires_at: end?.toISOString() ?? null,
    now: around.now.toISOString(),
    available:
      row.state === 'open' && (row.kind === 'turn' ? end !== null && end > around.now : around.isFree),
    change_until: around.changeUntil.toISOString(),
    change_until_before_start: around.changeUntilBeforeStart,
    swap: swap
      ? {
          appointment_id: swap.id,
          starts_at: swap.startsAt.toISOString(),
          refund: pounds(swap.refundPence + swap.discountPence),
          discount: pounds(swap.discountPence),
          dispute: swap.dispute ?? null,
          possible: swap.until !== null,
          until: swap.until?.toISOString() ?? null,
        }
      : null,
  }
}

type NamedRow = Awaited<ReturnType<typeof listEntriesFor>>[number]

/** By initials alone. */
export function toWaiting(row: NamedRow): WaitingClient {
  return {
    entry_id: row.id,
    initials: initials(row.first_name, row.last_name),
    service_name: row.service_name,
    appointment_type: row.appointment_type,
    windows: toWireWindows(row.windows),
    earliest: row.earliest,
    latest: row.latest,
    timezone: row.timezone,
    state: row.state === 'offered' || row.state === 'paused' ? row.state : 'waiting',
    since: row.joined_at.toISOString(),
  }
}

export const toWish = (row: WishRow, filters: Record<string, string>): SearchWish => ({
  wish_id: row.id,
  filters,
  created_at: row.created_at.toISOString(),
  last_notified_at: row.last_notified_at?.toISOString() ?? null,
  ends_at: row.ends_at.toISOString(),
})
