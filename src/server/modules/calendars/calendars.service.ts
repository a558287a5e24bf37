import type { GoogleCalendar } from '#contract/calendars.ts'
import { hours, later } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { SignedIn } from '../../http/caller.ts'
import { CalendarProblem } from '../../integrations/calendar/port.ts'
import { createConsent } from './calendars.consent.ts'
import type { CalendarDependencies } from './calendars.deps.ts'
import { createEntries } from './calendars.entries.ts'
import { calendarEndedMail } from './calendars.mails.ts'
import { canBecome, lifetimes, readAhead, retryAt, withoutOwn } from './calendars.rules.ts'
import * as store from './calendars.store.ts'
import { enqueueVisit } from './calendars.visits.ts'

/** How many calendars one transaction of a sweep claims. */
const sweepBatch = 500
export type Calendars = ReturnType<typeof createCalendars>

/** Practitioners' own calendars: consent, busy times, the product's entries in them, and disconnection. */
export function createCalendars(deps: CalendarDependencies) {
  const { db, clock, queue, secrets, log, mails, practitioners, availability, provider } = deps

  /** Dropped if the connection was restored. */
  mails.template('calendar.ended', {
    async load(tx, { subject_id, account_id }) {
      const row = await store.find(tx, subject_id)
      const to = account_id && (await deps.accounts.person(tx, account_id))
      if (row?.state !== 'ended' || !row.ended_at || !to) return 'obsolete'
      const why = row.ended_why === 'removed' ? 'removed' : 'revoked'
      return calendarEndedMail(
        { id: row.id, to, why, email: row.email, endedAt: row.ended_at },
        { sender: deps.mailer.sender, publicUrl: deps.publicUrl },
      )
    },
  })

  return {
    ...createConsent({ ...deps, own }),
    ...createEntries({ ...deps, useGrant }),

    async state(caller: SignedIn): Promise<GoogleCalendar> {
      const row = await store.findOf(db, await own(caller))
      return {
        available: provider !== undefined,
        status: row?.state ?? 'none',
        ended_why: row?.ended_why ?? null,
        ended_at: row?.ended_at?.toISOString() ?? null,
        email: row?.email ?? null,
        connected_at: row?.connected_at.toISOString() ?? null,
        read_at: row?.read_at?.toISOString() ?? null,
        reading_fails: (row?.failures ?? 0) > 0,
      }
    },

    /** Disconnects the caller's calendar and deletes its busy times at once. A job revokes the consent at Google. */
    async disconnect(caller: SignedIn): Promise<'success'> {
      const practitionerId = await own(caller)
      await inTransaction(db, (tx) => disconnect(tx, practitionerId))
      return 'success'
    },

    /** Disconnects the calendar of an account that came back to its holder: a stranger may have connected it. */
    async reclaimed(tx: Tx, accountId: string): Promise<void> {
      const practitioner = await practitioners.ofAccount(tx, accountId)
      if (practitioner) await disconnect(tx, practitioner.id)
    },

    /** Disconnects the calendar of a practitioner whose profile is closed. */
    leaveOf: disconnect,

    /** Enqueues a visit of every calendar whose reading or disconnection is due. */
    async sweep(): Promise<void> {
      if (!provider) return
      const now = clock.now()
      for (let claimed = sweepBatch; claimed === sweepBatch; ) {
        claimed = await inTransaction(db, async (tx) => {
          const ids = await store.claimDue(tx, now, later(now, lifetimes.claim), sweepBatch)
          for (const id of ids) await enqueueVisit(queue, tx, id)
          return ids.length
        })
      }
    },

    /** Reads the busy times of a calendar, or completes its disconnection. */
    async visit(id: string): Promise<void> {
      const row = await store.find(db, id)
      if (row?.state === 'connected') await read(row)
      else if (row?.state === 'leaving') await leave(row)
    },

    // For later modules ------------------------------------------------------------------------------------------------

    /** Since when a practitioner's sessions are written to their own calendar; undefined while none is connected. */
    async connectedSince(handle: Db, practitionerId: number): Promise<Date | undefined> {
      const row = await store.findOf(handle, practitionerId)
      return row?.state === 'connected' ? row.connected_at : undefined
    },

    /** For the dashboard: since when a connection has been ended by Google or by a deleted calendar. */
    async endedSince(handle: Db, practitionerId: number): Promise<Date | undefined> {
      const row = await store.findOf(handle, practitionerId)
      return row?.state === 'ended' ? (row.ended_at ?? undefined) : undefined
    },
  }

  async function disconnect(tx: Tx, practitionerId: number): Promise<void> {
    const row = await store.lockOf(tx, practitionerId)
    if (!row || !canBecome(row.state, 'leaving')) return
    const now = clock.now()
    await store.change(tx, row.id, {
      state: 'leaving',
      ended_why: null,
      ended_at: now,
      due_at: later(now, lifetimes.claim),
      failures: 0,
    })
    await availability.setBusyElsewhere(tx, practitionerId, [])
    await enqueueVisit(queue, tx, row.id, { isUrgent: true })
  }

  /** Reads a practitioner's busy times. A failure keeps those of the last reading. */
  async function read(row: store.CalendarRow): Promise<void> {
    if (!provider) return
    const { id } = row
    const asOf = clock.now()
    const range = { from: later(asOf, -hours(1)), to: later(asOf, readAhead) }
    try {
      const busy = await useGrant(row, (grant) => provider.busy(grant, range))
      if (!busy) return
      await inTransaction(db, async (tx) => {
        const now = await store.lock(tx, id)
        if (now?.state !== 'connected' || (now.read_at && now.read_at >= asOf)) return
        const pid = now.practitioner_id
        const during = { from: range.from.getTime(), to: range.to.getTime() }
        const theirs = busy.map(({ from, to }) => ({ from: from.getTime(), to: to.getTime() }))
        const apart = withoutOwn(theirs, await availability.booked(tx, pid, during))
        await availability.setBusyElsewhere(tx, pid, apart)
        await store.change(tx, id, {
          read_at: asOf,
          due_at: later(clock.now(), lifetimes.freshness),
          failures: 0,
        })
      })
    } catch (error) {
      if (!(error instanceof CalendarProblem)) throw error
      const failures = row.failures + 1
      await store.change(db, id, { failures, due_at: retryAt(clock.now(), failures) })
      log.warn({ status: error.status, why: error.why, failures }, 'A calendar could not be read.')
    }
  }

  /**
   * Deletes our calendar at Google, revokes the grant and deletes the row. Google revokes per account, so only the last
   * practitioner who shares an account revokes.
   */
  async function leave(row: store.CalendarRow): Promise<void> {
    const { id } = row
    if (provider && row.sealed_grant) {
      const grant = grantOf(row)
      try {
        await provider.deleteCalendar(grant, row.calendar_id)
        if (await inTransaction(db, (tx) => store.removeShared(tx, row))) return undefined
        await provider.revoke(grant)
      } catch (error) {
        if (!(error instanceof CalendarProblem)) throw error
        // A revoked grant needs no revocation.
        if (error.why !== 'revoked') {
          const now = clock.now()
          const failures = row.failures + 1
          log.warn({ status: error.status, failures }, 'Google could not be told that a calendar is left.')
          if (later(row.ended_at ?? now, lifetimes.leaving) > now) {
            return store.change(db, id, { failures, due_at: retryAt(now, failures) })
          }
        }
      }
    }
    await store.remove(db, id)
  }

  /**
   * Runs `work` with a calendar's grant. If Google has revoked it or our calendar was deleted, ends the connection,
   * notifies the practitioner and returns undefined. @throws CalendarProblem for any other failure
   */
  async function useGrant<T>(
    row: store.CalendarRow,
    work: (grant: string) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await work(grantOf(row))
    } catch (error) {
      if (!(error instanceof CalendarProblem) || (error.why !== 'revoked' && error.why !== 'removed'))
        throw error
      await end(row, error.why)
      return undefined
    }
  }

  async function end(seen: store.CalendarRow, why: 'revoked' | 'removed'): Promise<void> {
    await inTransaction(db, async (tx) => {
      const row = await store.lock(tx, seen.id)
      // Consent may have been given again meanwhile.
      if (row?.state !== 'connected' || !isSameBytes(row.sealed_grant, seen.sealed_grant)) return
      const now = clock.now()
      await store.change(tx, row.id, {
        state: 'ended',
        ended_why: why,
        ended_at: now,
        ...(why === 'revoked' ? { sealed_grant: null } : {}),
      })
      await mails.enqueue(tx, {
        template: 'calendar.ended',
        about: { type: 'calendar', id: row.id },
        recipient: 'practitioner',
        accountId: await practitioners.accountOf(tx, row.practitioner_id),
        dedupeKey: `calendar.ended ${row.id} ${now.toISOString()}`,
      })
    })
  }

  function grantOf({ id, sealed_grant: sealed }: store.CalendarRow): string {
    if (!sealed) throw new Error('A calendar has no grant.')
    return secrets.open('calendar grant', id, sealed).toString()
  }

  async function own(caller: SignedIn): Promise<number> {
    return (await practitioners.requireOwn(db, caller)).id
  }
}

const isSameBytes = (one: Uint8Array | null, other: Uint8Array | null) =>
  one !== null && other !== null && Buffer.compare(one, other) === 0
