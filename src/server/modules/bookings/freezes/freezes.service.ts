import type {
  PractitionerAhead,
  SessionsChoice,
  SuspensionOutcome,
} from '#contract/back-office/back-office.ts'
import type { AnswerOf } from '#contract/endpoints.ts'
import { later } from '../../../clock.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { attempt } from '../../../jobs/attempt.ts'
import { notFound } from '../../../errors.ts'
import type { SignedIn } from '../../../http/caller.ts'
import type { Notifications } from '../../notifications/notifications.service.ts'
import { bookingsSweepJob } from '../bookings.jobs.ts'
import { toSessionAhead } from '../bookings.mapper.ts'
import {
  type CancelCode,
  cancelCodeOf,
  type FreezeCause,
  frozenUntil,
  isCancelledAtOnce,
  isFrozen,
  lapseLead,
  practitionerActions,
  withinTwoHours,
} from '../bookings.rules.ts'
import type { BookingDependencies } from '../bookings.deps.ts'
import { type Bookings, changeOf, notChangeable, requireUnmoved, reread } from '../bookings.service.ts'
import * as store from '../bookings.store.ts'
import { sessionPath } from '../../../integrations/mail/format.ts'
import * as freezes from './freezes.store.ts'

type Dependencies = BookingDependencies & {
  bookings: Pick<Bookings, 'expire'>
  notifications: Pick<Notifications, 'notify'>
  /** Contact address for a suspended practitioner. */
  contactEmail: string
}

/** Ids of the payment intents and refunds that a transaction began. */
type ToFinish = { intents?: string[]; refunds?: string[] }

/** Sessions that one sweep cancels; the next sweep continues. */
const sweepBatch = 500
/** Sessions ahead beyond this number are counted and not listed. */
const listedAhead = 500

type Ahead = Omit<PractitionerAhead, 'offers' | 'sessions'> & {
  sessions: Omit<PractitionerAhead['sessions'][number], 'series'>[]
}

export type Freezes = ReturnType<typeof createFreezes>

/**
 * Protects clients of a practitioner who is suspended, closed or no longer vetted: sessions ahead are frozen, and each is
 * cancelled and refunded at its `frozen_until` unless it was restored before.
 */
export function createFreezes(deps: Dependencies) {
  const { db, clock, queue, events, log, practitioners, availability, payments, outbox, checkpoint } = deps
  const { bookings, notifications } = deps

  return {
    /** Expires unpaid bookings and freezes paid ones, in the transaction of the suspension. */
    async suspended(
      tx: Tx,
      { practitionerId, sessions }: { practitionerId: number; sessions: SessionsChoice },
    ): Promise<void> {
      await endAhead(tx, practitionerId, sessions)
    },

    /** Expires unpaid bookings and marks paid ones for cancelling, in the transaction of the closing. */
    closed: (tx: Tx, { practitionerId }: { practitionerId: number }) =>
      endAhead(tx, practitionerId, 'cancel'),

    /**
     * Restores the sessions that are still frozen for a suspension, in the transaction of the reinstatement. Sessions
     * that begin after a lapse of the vetted facts stay frozen.
     */
    async reinstated(tx: Tx, { practitionerId }: { practitionerId: number }): Promise<void> {
      const lapsedAt = await practitioners.lapsedAt(tx, practitionerId)
      if (lapsedAt) {
        const now = clock.now()
        for (const session of await freezes.lockRestorable(tx, practitionerId, 'suspended', now)) {
          if (session.startsAt < lapsedAt) continue
          const until = session.frozenUntil
          await freezes.refreeze(tx, session.id, { cause: 'vetting_lapsed', now, until })
        }
      }
      await restoreAll(tx, practitionerId, 'suspended')
    },

    /** Restores the sessions that are still frozen for a lapse, once the vetted facts hold again. */
    async vettingChanged(tx: Tx, { practitionerId }: { practitionerId: number }): Promise<void> {
      if (await practitioners.lapsedAt(tx, practitionerId)) return
      await restoreAll(tx, practitionerId, 'vetting_lapsed')
    },

    /** Practitioners whose vetted facts lapse within 14 days, or have, with the sessions that begin after it. */
    async lapses(handle: Db, limit: number): Promise<freezes.LapseRow[]> {
      const now = clock.now()
      return freezes.listLapses(handle, now, later(now, lapseLead), limit)
    },

    /**
     * Cancels the sessions that begin too soon to be frozen, one transaction each. The sweep retries failures. Jobs
     * call the gateway, so that an admin does not wait for dozens of refunds.
     */
    async carryOut(practitionerId: number): Promise<void> {
      await cancelDue(practitionerId, async () => undefined)
    },

    /** Counts the sessions cancelled and frozen, and the refunds, since the start of a suspension. */
    async outcome(handle: Db, practitionerId: number, since: Date): Promise<SuspensionOutcome> {
      const counts = await freezes.countSince(handle, practitionerId, since)
      const { cancelled, frozen, refunds, refunded_pence: pence } = counts
      return { cancelled, frozen, refunds, refunded: pence / 100 }
    },

    /** Previews the effect of a suspension, except on requests for help. Later modules add the series. */
    async ahead(handle: Db, practitionerId: number): Promise<Ahead> {
      const now = clock.now()
      const rows = await freezes.listAhead(handle, practitionerId, now, listedAhead)
      const sums = await freezes.sumAhead(handle, practitionerId, now, withinTwoHours(now))
      return {
        sessions: rows.map((row) => toSessionAhead(row, isCancelledAtOnce(row.starts_at, now))),
        total: sums.total,
        at_once: sums.at_once,
        money: sums.paid_pence / 100,
        pending: (await freezes.listPending(handle, practitionerId)).length,
      }
    },

    /** The caller's suspension or closing; null if there is neither. @throws 404 for an account without a profile */
    async own(caller: SignedIn): Promise<AnswerOf<'GET /therapist/suspension'>> {
      const practitioner = await practitioners.requireOwn(db, caller)
      const { state } = practitioner
      const documents_lapsed = (await practitioners.lapsedAt(db, practitioner.id)) !== null
      if (state !== 'suspended' && state !== 'closed') return { data: null, documents_lapsed }
      const closing = await practitioners.closingOf(db, practitioner.id)
      const suspension = closing
        ? { ...closing, cause: null }
        : await practitioners.suspensionOf(db, practitioner.id)
      if (!suspension) return { data: null, documents_lapsed }
      const {
        frozen,
        cancelled,
        next_cancelled_at: next,
      } = await freezes.countSince(db, practitioner.id, suspension.at)
      return {
        data: {
          state,
          since: suspension.at.toISOString(),
          reason: suspension.reason,
          cause: suspension.cause,
          sessions: { frozen, cancelled, next_cancelled_at: next?.toISOString() ?? null },
          write_to: deps.contactEmail,
        },
        documents_lapsed,
      }
    },

    /**
     * Cancels one session before its end, for the back office. The client is refunded in full; client and practitioner
     * are notified. Repeating it changes nothing.
     * @param shown the start that the admin saw
     * @throws 404; 409 `not_changeable`, `changed_elsewhere`
     */
    async cancelByAdmin(
      tx: Tx,
      id: string,
      shown: string | undefined,
    ): Promise<{ practitionerId: number; changed: boolean; finish: ToFinish }> {
      const row = await store.lockAppointment(tx, id)
      if (!row?.first_booked_at || !row.starts_at || !row.ends_at) throw notFound('This session')
      const { starts_at, ends_at } = row
      const practitionerId = row.practitioner_id
      if (row.state === 'cancelled') return { practitionerId, changed: false, finish: {} }
      requireUnmoved(row, shown)
      if (!practitionerActions({ ...row, starts_at, ends_at }, clock.now()).cancel) throw notChangeable()
      return { practitionerId, changed: true, finish: await cancel(tx, row, 'office') }
    },

    /**
     * Cancels a confirmed session to which the practitioner did not come. The client is refunded in full; both are
     * notified. Does nothing if it was cancelled for that already. Returns what is to be sent to the gateway.
     * @param check decides, once the session is locked; throws what refuses it
     * @throws 409 `not_changeable`
     */
    async cancelForAbsence(tx: Tx, id: string, check: () => Promise<void>): Promise<ToFinish> {
      const row = await store.lockAppointment(tx, id)
      if (row?.cancel_code === 'practitioner_absent') return {}
      if (row?.state !== 'confirmed' || isFrozen(row)) throw notChangeable()
      await check()
      const finish = await cancel(tx, row, 'practitioner_absent')
      const { id: appointmentId, practitioner_id: practitionerId, starts_at: startsAt } = row
      if (startsAt) {
        await events.announce(tx, 'session.missed-by-practitioner', {
          appointmentId,
          practitionerId,
          startsAt,
        })
      }
      return finish
    },

    /** Sessions to which practitioners did not come, of those that began between two instants; the earliest first. */
    absences: freezes.listAbsences,

    /**
     * Cancels sessions not restored in time, and freezes sessions after a lapse of vetted facts. Also freezes sessions
     * that an instance of an older release left unprotected.
     */
    async sweep(): Promise<void> {
      for (const practitionerId of await freezes.listUnprotected(db, clock.now(), sweepBatch)) {
        await attempt(log, 'freezing sessions', () =>
          inTransaction(db, async (tx) => {
            await practitioners.lock(tx, practitionerId)
            const suspension = await practitioners.suspensionOf(tx, practitionerId)
            const isClosed = (await practitioners.closingOf(tx, practitionerId)) !== undefined
            const choice = isClosed ? 'cancel' : (suspension?.sessions ?? 'freeze')
            await freezeAhead(tx, practitionerId, 'suspended', choice)
          }),
        )
      }
      const now = clock.now()
      for (const lapse of await freezes.listLapses(db, now, now, sweepBatch)) {
        if (lapse.frozen === lapse.sessions) continue
        await attempt(log, 'freezing sessions', () =>
          inTransaction(db, async (tx) => {
            await practitioners.lock(tx, lapse.practitioner_id)
            const lapsedAt = await practitioners.lapsedAt(tx, lapse.practitioner_id)
            if (lapsedAt) await freezeAhead(tx, lapse.practitioner_id, 'vetting_lapsed', 'freeze', lapsedAt)
          }),
        )
      }
      await cancelDue(null, payments.finishSoon)
    },
  }

  async function endAhead(tx: Tx, practitionerId: number, choice: SessionsChoice): Promise<void> {
    // This waits for the lock of a booking that is being paid. Afterwards the booking has expired, or is frozen below.
    for (const id of await freezes.listPending(tx, practitionerId)) await bookings.expire(tx, id)
    await freezeAhead(tx, practitionerId, 'suspended', choice)
  }

  /** Freezes sessions that begin at or after `from`, or all that have not ended. */
  async function freezeAhead(
    tx: Tx,
    practitionerId: number,
    cause: FreezeCause,
    choice: SessionsChoice,
    from: Date | null = null,
  ): Promise<void> {
    const now = clock.now()
    for (const session of await freezes.lockAhead(tx, practitionerId, now)) {
      const { id, startsAt } = session
      if (from && startsAt < from) continue
      const until = frozenUntil(startsAt, choice, now)
      if (session.frozenUntil) {
        const before = session.frozenUntil
        // A session already due is cancelled for its first cause.
        const isTakenOver = cause === 'suspended' && (session.frozenCause !== cause || until < before)
        if (isTakenOver && before > now)
          await freezes.refreeze(tx, id, { cause, now, until: until < before ? until : before })
        continue
      }
      await freezes.freeze(tx, id, { cause, now, until })
      const row = await reread(tx, id)
      // A session that is cancelled at once gets its mail at the cancellation.
      if (until > now) await tell(tx, row, 'frozen')
      await events.announce(tx, 'session.changed', changeOf(row))
    }
    await queue.enqueue(tx, bookingsSweepJob, {})
  }

  async function restoreAll(tx: Tx, practitionerId: number, cause: FreezeCause): Promise<void> {
    const now = clock.now()
    for (const { id } of await freezes.lockRestorable(tx, practitionerId, cause, now)) {
      await freezes.restore(tx, id, now)
      const row = await reread(tx, id)
      await tell(tx, row, 'restored')
      await events.announce(tx, 'session.changed', changeOf(row))
    }
  }

  async function cancelDue(
    practitionerId: number | null,
    finish: (begun: ToFinish) => Promise<void>,
  ): Promise<void> {
    for (const id of await freezes.listDue(db, clock.now(), sweepBatch, practitionerId)) {
      await attempt(log, 'cancelling a frozen session', async () => {
        const begun = await inTransaction(db, async (tx) => {
          const row = await store.lockAppointment(tx, id)
          const isDue = row?.frozen_until && row.frozen_until <= clock.now()
          return row && isFrozen(row) && isDue ? cancel(tx, row, cancelCodeOf(row.frozen_cause)) : {}
        })
        await checkpoint('frozen session cancelled')
        await finish(begun)
      })
    }
  }

  /** Cancels a session ahead with a full refund of what was paid. Returns the refunds and payment intents to send. */
  async function cancel(tx: Tx, row: store.AppointmentRow, code: CancelCode): Promise<ToFinish> {
    await store.changeState(tx, row.id, row.state, 'cancelled', {
      cancelled_by: 'system',
      cancel_code: code,
    })
    if (row.reservation_id) await availability.release(tx, row.reservation_id)
    // The client's data export contains this reason. The other codes reveal something of the practitioner.
    const reason = code === 'practitioner_absent' ? 'practitioner did not come' : 'cancelled by Hearth'
    const refunds = await payments.requestRefund(tx, row.id, 'everything', reason)
    const intents = await payments.releaseAll(tx, row.id)
    const after = await reread(tx, row.id)
    await tell(tx, after, 'cancelled', { refunds, isUnpaid: row.state === 'reserved' })
    await events.announce(tx, 'session.changed', changeOf(after))
    return { intents, refunds }
  }

  /**
   * Sends a mail, and a notification without any detail of the session. Unpaid dates of a series share both: browsers show
   * one notification for a path.
   */
  async function tell(
    tx: Tx,
    row: store.AppointmentRow,
    kind: 'frozen' | 'restored' | 'cancelled',
    { refunds = [], isUnpaid = row.state === 'reserved' }: { refunds?: string[]; isUnpaid?: boolean } = {},
  ): Promise<void> {
    await outbox.note(tx, row, kind, { refunds })
    const path = isUnpaid && row.series_id !== null ? '/my-sessions' : sessionPath(row.id)
    await notifications.notify(tx, [row.client_id], { kind: 'session', path })
  }
}
