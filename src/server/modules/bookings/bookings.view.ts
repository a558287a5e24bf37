import type { AppointmentDetail, AppointmentState } from '#contract/bookings/bookings.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import { owned } from '../../http/policies.ts'
import { toDetail } from './bookings.mapper.ts'
import { shownPlace } from './bookings.rules.ts'
import type { BookingDependencies } from './bookings.deps.ts'
import * as store from './bookings.store.ts'
import { readSurroundings } from './surroundings.ts'

/** The most upcoming sessions listed at once. */
const maxUpcoming = 200

/** A client's view of their sessions. */
export function createViews(deps: BookingDependencies) {
  const { db, clock, practitioners, payments } = deps
  return {
    /** The caller's booked sessions, paid or not, that have not ended, soonest first. */
    async upcoming(caller: SignedIn): Promise<AppointmentDetail[]> {
      return details(db, await store.listUpcoming(db, caller.accountId, clock.now(), maxUpcoming))
    },

    /** The times that are held for the caller until they pay, soonest first, without offers of the waitlist. */
    async held(caller: SignedIn): Promise<AppointmentDetail[]> {
      return details(db, await store.listHeld(db, caller.accountId, clock.now()))
    },

    /** A page of the caller's sessions that are over, newest first, and how many there are. */
    async past(
      caller: SignedIn,
      range: { page: number; perPage: number },
    ): Promise<{
      sessions: { detail: AppointmentDetail; practitionersReason: string | null }[]
      total: number
    }> {
      const now = clock.now()
      const rows = await store.listPast(db, caller.accountId, now, range)
      const all = await details(db, rows)
      const sessions = all.map((detail) => {
        const row = rows.find(({ id }) => id === detail.appointment_id)
        return { detail, practitionersReason: row ? practitionersReason(row) : null }
      })
      return { sessions, total: await store.countPast(db, caller.accountId, now) }
    },

    /** The caller's own appointment, locked until the transaction ends. For later modules. @throws 404 */
    async lockOwn(
      tx: Tx,
      caller: SignedIn,
      id: string,
    ): Promise<{ state: AppointmentState; practitioner_id: number }> {
      return owned('appointment', caller, await store.lockAppointment(tx, id))
    },

    /** @throws 404 */
    detail: async (caller: SignedIn, id: string): Promise<AppointmentDetail> =>
      (await explained(caller, id)).detail,

    /** As `detail`, with the words of a practitioner who cancelled it. @throws 404 */
    explained,
  }

  async function explained(
    caller: SignedIn,
    id: string,
  ): Promise<{ detail: AppointmentDetail; practitionersReason: string | null }> {
    const row = owned('appointment', caller, await store.findAppointment(db, id))
    const [detail] = await details(db, [row])
    if (!detail) throw notFound('This session')
    return { detail, practitionersReason: practitionersReason(row) }
  }

  async function details(handle: Db, rows: store.AppointmentRow[]): Promise<AppointmentDetail[]> {
    const ids = [...new Set(rows.map((row) => row.practitioner_id))]
    const cards = await practitioners.cards(handle, ids)
    const bookable = await practitioners.bookable(handle, ids)
    const aroundOf = await readSurroundings(handle, rows, deps)
    const cardsSet = await payments.cardsById(
      handle,
      rows.flatMap((row) => (row.state === 'reserved' ? (row.payment_method_id ?? []) : [])),
    )
    return rows.flatMap((row) => {
      const practitioner = cards.get(row.practitioner_id)
      if (!practitioner) return []
      const around = aroundOf(row)
      return toDetail(row, {
        ...around,
        practitioner,
        isBookable: bookable.has(row.practitioner_id),
        location: shownPlace(row, around.location),
        isCardSet: isGoodAt(row.pay_at, cardsSet.get(row.payment_method_id ?? '')),
      })
    })
  }
}

/** A client's words on cancelling are not passed on. */
const practitionersReason = (row: Pick<store.AppointmentRow, 'cancelled_by' | 'cancel_reason'>) =>
  row.cancelled_by === 'practitioner' ? row.cancel_reason : null

/** Whether a card can be charged at an instant: neither removed nor expired by then. */
const isGoodAt = (at: Date | null, card: { isRemoved: boolean; expiresAt: Date } | undefined): boolean =>
  at !== null && card !== undefined && !card.isRemoved && at < card.expiresAt
