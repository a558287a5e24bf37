import type { Deps } from '../../deps.ts'
import type { PersonalData } from '../../contributions/personal-data.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import { isFrozen, mayChange } from './bookings.rules.ts'
import * as bookings from './bookings.store.ts'
import { deleteFeed, findFeed } from './calendar-feeds/calendar-feeds.store.ts'
import type { BookingOutbox } from './mails/bookings.outbox.ts'
import { eraseDisputeWords } from './no-shows/no-shows.store.ts'
import * as store from './personal-data.store.ts'

type Dependencies = Pick<Deps, 'clock'> & {
  availability: Availability
  payments: Payments
  outbox: Pick<BookingOutbox, 'keepForCalendar'>
}

/** Deleted accounts processed at a time. */
const batch = 200

/** Sessions of clients, and their reservations. */
export function bookingsPersonalData({ clock, availability, payments, outbox }: Dependencies): PersonalData {
  return {
    tables: ['appointments', 'reservations', 'no_shows', 'calendar_entries', 'client_calendar_feeds'],
    namedBy: { appointments: 'client_id', reservations: 'client_id' },
    kept: [
      {
        what: 'Sessions that were paid for: with whom, when, in which form, at which price, and what became of them.',
        why: 'Tax law asks for records of what was bought, from us and from your practitioner.',
        how_long: 'Six years after the end of the tax year.',
        tables: ['appointments', 'reservations'],
      },
    ],

    async exported(db, { accountId }) {
      const rows = await store.listAppointmentsOf(db, accountId)
      const feed = await findFeed(db, { clientId: accountId })
      return [
        {
          title: 'Your calendar link',
          about:
            'By which a calendar of yours reads your sessions, if you made one. Of the link itself we keep a digest.',
          entries: feed
            ? [{ made_at: feed.created_at.toISOString(), last_read_at: feed.read_at?.toISOString() ?? null }]
            : [],
        },
        {
          title: 'Your sessions',
          about: 'Every session that you began to book, newest first.',
          entries: rows.map((row) => ({
            session: row.id,
            practitioner: `${row.first_name} ${row.last_name}`,
            service: row.service_name,
            form: row.appointment_type === 'face_to_face' ? 'face to face' : row.appointment_type,
            place: row.location_name,
            issue: row.issue_name,
            starts_at: row.starts_at?.toISOString() ?? null,
            ends_at: row.ends_at?.toISOString() ?? null,
            state: row.state,
            price: row.fee_pence / 100,
            discount: row.discount_pence / 100,
            begun_at: row.created_at.toISOString(),
            booked_at: row.first_booked_at?.toISOString() ?? null,
            belongs_to_a_weekly_series: row.series_id !== null,
            paid_from: row.pay_at?.toISOString() ?? null,
            paid_by: row.pay_by?.toISOString() ?? null,
            cancelled_by: row.cancelled_by,
            being_checked_until: isFrozen(row) ? (row.frozen_until?.toISOString() ?? null) : null,
            reason_you_gave: row.cancelled_by === 'client' ? row.cancel_reason : null,
            said_that_you_did_not_come_at: row.declared_at?.toISOString() ?? null,
            dispute: row.disputed_at === null ? null : row.no_show_state,
            what_you_wrote_about_it: row.client_words,
            your_time_zone: row.client_timezone,
          })),
        },
      ]
    },

    lock: (tx, { accountId }) => store.lockAppointmentsOf(tx, accountId),

    async hindrances(db, { accountId }) {
      const now = clock.now()
      const rows = await store.listAppointmentsOf(db, accountId)
      return rows
        .filter((row) => row.state === 'confirmed' && row.ends_at && row.ends_at > now)
        .toSorted((a, b) => (a.starts_at?.getTime() ?? 0) - (b.starts_at?.getTime() ?? 0))
        .map((row) => {
          const { starts_at: startsAt, first_booked_at: firstBookedAt } = row
          const changeable =
            startsAt && firstBookedAt && (isFrozen(row) || mayChange({ startsAt, firstBookedAt }, now))
          return {
            kind: 'upcoming_session' as const,
            message: `You have a session with ${row.first_name} ${row.last_name}.`,
            way_out: changeable
              ? 'Cancel it in My Sessions and get all your money back, or come back once it is over.'
              : 'It can no longer be cancelled. Please come back once it is over.',
            starts_at: startsAt?.toISOString() ?? null,
            path: '/my-sessions',
          }
        })
    },

    async erase(tx, { accountId }) {
      await deleteFeed(tx, { clientId: accountId })
      const rows = await store.listAppointmentsOf(tx, accountId)
      for (const { id, state, reservation_id } of rows) {
        if (state !== 'draft' && state !== 'pending' && state !== 'reserved') continue
        await bookings.changeState(tx, id, state, 'cancelled', { cancelled_by: 'client' })
        if (reservation_id) await availability.release(tx, reservation_id)
      }
      const paid = new Set(await payments.deleteUnpaidOf(tx, accountId))
      const unpaid = rows.filter(({ id }) => !paid.has(id))
      for (const row of unpaid) if (row.state === 'cancelled') await outbox.keepForCalendar(tx, row)
      await store.deleteAppointments(
        tx,
        unpaid.map(({ id }) => id),
      )
      const kept = rows.flatMap((row) => (paid.has(row.id) && row.reservation_id ? [row.reservation_id] : []))
      await availability.deleteReleased(tx, accountId, kept)
      await store.eraseWords(tx, accountId)
      await eraseDisputeWords(tx, accountId)
    },

    expired: (db, before) => store.listKeptBefore(db, before, batch),

    async endRetention(tx, accountId, before) {
      await store.lockAppointmentsOf(tx, accountId)
      const old = await store.listOver(tx, accountId, before)
      const ids = old.map(({ id }) => id)
      await payments.deletePaidOf(tx, accountId, ids)
      await store.deleteAppointments(tx, ids)
      for (const { reservation_id } of old) {
        if (reservation_id) await availability.release(tx, reservation_id)
      }
      await availability.deleteReleased(tx, accountId, [])
    },
  }
}
