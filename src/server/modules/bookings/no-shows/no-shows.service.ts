import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { fail, notFound } from '../../../errors.ts'
import type { SignedIn } from '../../../http/caller.ts'
import { owned } from '../../../http/policies.ts'
import type { BookingDependencies } from '../bookings.deps.ts'
import { changeOf, notChangeable, reread } from '../bookings.service.ts'
import * as bookings from '../bookings.store.ts'
import type { createViews } from '../bookings.view.ts'
import { type DisputeOfNoShow, toDispute } from './no-shows.mapper.ts'
import { disputeUntil, judgeDispute, noShowTimes } from './no-shows.rules.ts'
import * as store from './no-shows.store.ts'

type Dependencies = Pick<
  BookingDependencies,
  | 'db'
  | 'clock'
  | 'payments'
  | 'practitioners'
  | 'outbox'
  | 'availability'
  | 'events'
  | 'checkpoint'
  | 'lookups'
> & { views: Pick<ReturnType<typeof createViews>, 'detail'> }

export type NoShows = ReturnType<typeof createNoShows>

/**
 * Disputes about no-shows. A decision locks the practitioner before the session, as a payout does, so that no fee is
 * paid out and disputed at once.
 */
export function createNoShows(deps: Dependencies) {
  const { db, clock, payments, practitioners, outbox, availability, events, checkpoint, views, lookups } =
    deps
  return {
    /**
     * Disputes a no-show of the caller. Repeating it changes nothing.
     * @throws 404; 409 `too_late_to_change` after 14 days, `not_changeable` where there is none, or it is decided
     */
    async dispute(caller: SignedIn, id: string, words: string): Promise<AppointmentDetail> {
      const { practitioner_id } = owned('appointment', caller, await bookings.findAppointment(db, id))
      await inTransaction(db, async (tx) => {
        await practitioners.lock(tx, practitioner_id)
        const row = owned('appointment', caller, await bookings.lockAppointment(tx, id))
        const noShow = row.state === 'no_show' ? await store.lockNoShow(tx, id) : undefined
        if (!noShow) throw notChangeable()
        if (noShow.state === 'disputed') return
        const now = clock.now()
        const verdict = judgeDispute(noShow, now)
        if (verdict === 'too_late') {
          throw fail(
            'too_late_to_change',
            `This can be disputed for ${noShowTimes.dispute / 86_400_000} days, which have passed.`,
          )
        }
        if (verdict === 'not_changeable') throw notChangeable()
        await store.changeNoShow(tx, id, 'declared', 'disputed', { disputed_at: now, client_words: words })
        await bookings.changeTerms(tx, id, {})
        await outbox.noteNoShow(tx, await reread(tx, id), 'no_show_disputed')
        await events.announce(tx, 'decision.asked', { of: 'no_show', id })
      })
      return views.detail(caller, id)
    },

    /** A page of disputes, with the total count. */
    async disputes(
      handle: Db,
      status: 'open' | 'decided',
      range: { limit: number; offset: number },
    ): Promise<{ data: DisputeOfNoShow[]; total: number }> {
      const rows = await store.listDisputes(handle, status, range)
      return {
        data: await withEvidence(handle, rows),
        total: await store.countDisputes(handle, status),
      }
    },

    one,

    /**
     * Decides a dispute. An overturned no-show cancels the session and refunds it in full, which reverses the amount
     * owed to the practitioner. `isNew` is false if the same decision was made before. `refunds` are to be sent once
     * the transaction has committed.
     * @throws 404; 409 `transition_refused` when it was decided otherwise
     */
    async decide(
      tx: Tx,
      id: string,
      decision: 'upheld' | 'overturned',
    ): Promise<{ isNew: boolean; practitionerId: number; refunds: string[] }> {
      const { practitioner_id: practitionerId } = (await bookings.findAppointment(tx, id)) ?? {}
      if (practitionerId === undefined) throw notFound('This dispute')
      await practitioners.lock(tx, practitionerId)
      const row = await bookings.lockAppointment(tx, id)
      const noShow = await store.lockNoShow(tx, id)
      if (!row || !noShow?.disputed_at) throw notFound('This dispute')
      if (noShow.state === decision) return { isNew: false, practitionerId, refunds: [] }
      if (noShow.state !== 'disputed') {
        throw fail('transition_refused', 'This dispute has already been decided. Nothing was changed.')
      }
      await store.changeNoShow(tx, id, 'disputed', decision, { decided_at: clock.now() })
      if (decision === 'upheld') {
        await bookings.changeTerms(tx, id, {})
        await outbox.noteNoShow(tx, await reread(tx, id), 'no_show_upheld')
        return { isNew: true, practitionerId, refunds: [] }
      }
      await bookings.changeState(tx, id, 'no_show', 'cancelled', { cancelled_by: 'system' })
      if (row.reservation_id) await availability.release(tx, row.reservation_id)
      const refunds = await payments.requestRefund(tx, id, 'everything', 'no-show overturned')
      await outbox.noteNoShow(tx, await reread(tx, id), 'no_show_overturned', refunds)
      await events.announce(tx, 'session.changed', changeOf(row))
      return { isNew: true, practitionerId, refunds }
    },

    /** Sends the refunds of a decision. */
    async finish(refunds: string[]): Promise<void> {
      await checkpoint('no-show decided')
      await payments.finishSoon({ refunds })
    },

    // For the practitioner's side --------------------------------------------------------------------------------------

    /** Declares a no-show and notifies the client. `row` is the session after the change. */
    async declare(tx: Tx, row: bookings.AppointmentRow): Promise<void> {
      const now = clock.now()
      await store.declareNoShow(tx, {
        appointment_id: row.id,
        declared_at: now,
        dispute_until: disputeUntil(now),
      })
      await outbox.noteNoShow(tx, row, 'no_show')
    },

    /** Withdraws a declared no-show. @throws 409 `not_changeable` once it is disputed */
    async withdraw(tx: Tx, id: string): Promise<void> {
      const noShow = await store.lockNoShow(tx, id)
      if (noShow && noShow.state !== 'declared') throw notChangeable()
      if (noShow) await store.changeNoShow(tx, id, 'declared', 'withdrawn')
    },
  }

  async function one(handle: Db, id: string): Promise<DisputeOfNoShow | undefined> {
    const row = await store.findDispute(handle, id)
    return row && (await withEvidence(handle, [row]))[0]
  }

  /** Adds where each session was held, and who was seen there. */
  async function withEvidence(handle: Db, rows: readonly store.DisputeRow[]): Promise<DisputeOfNoShow[]> {
    const attendance = await lookups().attendance(
      handle,
      rows.map((row) => row.appointment_id),
    )
    const rooms = await practitioners.onlineRooms(handle, [
      ...new Set(rows.map((row) => row.practitioner_id)),
    ])
    return rows.map((row) =>
      toDispute(row, attendance.get(row.appointment_id), rooms.get(row.practitioner_id)),
    )
  }
}
