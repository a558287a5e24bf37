import { dayNumber, days, dayText, later } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import { attempt } from '../../jobs/attempt.ts'
import { clocksOf } from '../availability/availability.service.ts'
import type { SeriesDependencies } from './series.deps.ts'
import { chargedBy, planOf } from './series.dates.ts'
import { seriesExtendJob, seriesSweepJob } from './series.jobs.ts'
import {
  datesFrom,
  deadlines,
  feeOn,
  isRunUnpaid,
  isSuspended,
  keptUntil,
  localOf,
  newZoneOf,
  pausedUntil,
  reaches,
  reservedUntil,
  stateOfDate,
} from './series.rules.ts'
import type { SeriesService } from './series.service.ts'
import * as store from './series.store.ts'
import * as dateStore from './series-dates.store.ts'
import * as priceStore from './series-prices.store.ts'

const batch = 500
/** Series that are extended at a time, so that the database and the product work side by side. */
const lanes = 4
/** Enough of the latest dates to see a run of unpaid ones past those that were left out. */
const lookedBack = 10

/** What the system does with series: making dates, following sessions and practitioners, keeping deadlines. */
export function createSweep(deps: SeriesDependencies & { series: SeriesService }) {
  const { db, clock, queue, live, log, practitioners, payments, outbox, series } = deps
  const { dates, ending } = series

  return {
    /** Keeps deadlines and makes the dates that are missing. A failure of one series leaves the others. */
    async sweep(): Promise<void> {
      const today = dayText(Math.floor(clock.now().getTime() / days(1)))
      // A day less, for zones that are behind; each series is looked at by its own clocks.
      for (const id of await store.listDue(db, clock.now(), today, batch)) {
        await attempt(log, 'A deadline of a series could not be kept.', async () => {
          const intents = await inTransaction(db, (tx) => keepDeadlines(tx, id))
          await payments.finishSoon({ intents })
        })
      }
      await followListings()
      await followZones()
      const until = dayText(Math.floor(later(reservedUntil(clock.now()), days(1)).getTime() / days(1)))
      for (let after: string | null = null; ; ) {
        const ids: string[] = await store.listToExtend(db, until, after, batch)
        const waiting = [...ids]
        await Promise.all(
          Array.from({ length: lanes }, async () => {
            for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
              const seriesId = id
              await attempt(log, 'A series could not be extended.', () => extend(seriesId))
            }
          }),
        )
        const last = ids.at(-1)
        if (last === undefined || ids.length < batch) break
        after = last
      }
    },

    extend,

    /** Follows a session of a series, in the transaction of its change. */
    async sessionChanged(
      tx: Tx,
      { appointmentId, isPaid }: { appointmentId: string; isPaid?: boolean },
    ): Promise<void> {
      const date = await dateStore.findDateOf(tx, appointmentId)
      if (!date?.starts_at) return
      const now = clock.now()
      const next = stateOfDate({
        state: date.session_state,
        startsAt: date.starts_at,
        rhythmStart: dates.startOf({ timezone: date.timezone, startMinute: date.start_minute }, date.on_date),
        cancelledBy: date.cancelled_by,
        cancelCode: date.cancel_code,
      })
      if (next.state !== date.state) {
        await dateStore.setDateState(tx, date.series_id, date.on_date, { ...next, at: now })
      }
      const isSkipped = date.pay_failures > 0 && date.cancelled_by === 'client'
      if (date.session_state === 'cancelled' && (date.cancel_code === 'unpaid' || isSkipped))
        await noteUnpaid(tx, date.series_id)
      if (date.session_state === 'cancelled' && date.cancel_code === 'vetting_lapsed')
        await noteLapsed(tx, date.series_id)
      if (isPaid && date.paused_cause === 'unpaid') await goOnPaid(tx, date.series_id)
      await dates.announce(tx, date.series_id)
    },

    /** Has the session that takes the place of one of a series stand for its date, in the same transaction. */
    async sessionReplaced(
      tx: Tx,
      { appointmentId, byAppointmentId }: { appointmentId: string; byAppointmentId: string },
    ): Promise<void> {
      const date = await dateStore.findDateOf(tx, appointmentId)
      if (!date) return
      await dateStore.linkDate(tx, date.series_id, date.on_date, {
        state: 'moved',
        appointmentId: byAppointmentId,
        by: 'client',
        at: clock.now(),
      })
      await dates.announce(tx, date.series_id)
    },

    /** Enqueues the sweep, which notifies the people of each series of a practitioner's new zone. */
    async practitionerChanged(tx: Tx, { practitionerId }: { practitionerId: number }): Promise<void> {
      const changed = await store.listZoneChanged(tx, practitionerId)
      if (changed.length > 0) await queue.enqueue(tx, seriesSweepJob, {})
    },

    /** Sends a live event to both people of a series once the transaction has committed. */
    async seriesChanged(tx: Tx, { seriesId }: { seriesId: string }): Promise<void> {
      const row = await store.findSeries(tx, seriesId)
      if (!row) return
      const people = [row.client_id, row.practitioner_account_id]
      afterCommit(tx, () => live.tell(people, { type: 'series.changed', series_id: seriesId }))
    },

    /** Pauses the series of a practitioner who was suspended, in the same transaction. Their sessions are frozen by bookings. */
    async suspended(tx: Tx, { practitionerId }: { practitionerId: number }): Promise<void> {
      for (const id of await store.listOfPractitioner(tx, practitionerId, ['active', 'paused', 'proposed'])) {
        const row = await store.lockSeries(tx, id)
        if (row?.state === 'active' || row?.state === 'paused') await pause(tx, row, 'suspension')
        else if (row?.state === 'proposed') await ending.end(tx, row, { by: 'system', cause: 'suspension' })
      }
    },

    /**
     * Tells clients, once for each pause, that their series can go on: after a suspension or a lapse, unless another keeps
     * it. One without a date before its last day is over.
     */
    async reinstated(tx: Tx, { practitionerId }: { practitionerId: number }): Promise<void> {
      for (const id of await store.listOfPractitioner(tx, practitionerId, ['paused'])) {
        const row = await store.lockSeries(tx, id)
        if (row?.paused_cause !== 'suspension' || isSuspended(row, clock.now())) continue
        if (row.last_on !== null && dates.upcoming(planOf(row), 1).length === 0) {
          await ending.closeAfterLast(tx, row)
          continue
        }
        await outbox.note(tx, id, 'resumable', { about: row.paused_until?.toISOString() ?? '' })
        await dates.announce(tx, id)
      }
    },

    /** Ends the series of a practitioner whose profile is closed. Bookings cancels and refunds their sessions. */
    async closed(tx: Tx, { practitionerId }: { practitionerId: number }): Promise<void> {
      for (const id of await store.listOfPractitioner(tx, practitionerId, ['proposed', 'active', 'paused'])) {
        const row = await store.lockSeries(tx, id)
        if (!row || row.state === 'ended') continue
        await ending.releaseKept(tx, row)
        await ending.close(tx, row, { by: 'system', cause: 'closed' })
        await outbox.note(tx, id, row.agreed_at === null ? 'declined' : 'ended')
        await dates.announce(tx, id)
      }
    },
  }

  /** Makes the missing dates of a series: those that nothing is in the way of at once, the others one by one. */
  async function extend(id: string): Promise<void> {
    const isComplete = await inTransaction(db, (tx) => extendClear(tx, id))
    await deps.checkpoint('dates made')
    if (isComplete) return
    let made = 0
    while (await inTransaction(db, (tx) => extendOnce(tx, id))) {
      made++
      await deps.checkpoint('date made')
    }
    if (made > 0) await inTransaction(db, (tx) => dates.announce(tx, id))
  }

  /** Makes the missing dates that nothing is in the way of. Returns whether none is left. */
  async function extendClear(tx: Tx, id: string): Promise<boolean> {
    const row = await store.lockToBook(tx, id)
    if (row?.state !== 'active') return true
    const plan = planOf(row)
    const now = clock.now()
    const until = reservedUntil(now)
    const from = extendedFrom(row)
    const ahead = datesFrom(plan, from, { until: localOf(clocksOf(row.timezone), until).onDate })
      .map((onDate) => ({ onDate, startsAt: dates.startOf(plan, onDate) }))
      .filter(({ startsAt }) => startsAt <= until)
    if (ahead.length === 0) return true
    const [price] = await priceStore.listPriceChanges(tx, [id])
    const known = await dateStore.listKnown(tx, id, from)
    const missing = ahead
      .filter(({ onDate, startsAt }) => startsAt > now && !known.has(onDate))
      .map((date) => ({ ...date, feePence: feeOn(row, price, date.onDate) }))
    const made = await dates.reserveClear(tx, { id, methodId: chargedBy(row) }, plan, missing)
    const firstLeft = missing.findIndex(({ onDate }) => !made.has(onDate))
    const settled = firstLeft < 0 ? ahead.at(-1) : missing[firstLeft - 1]
    if (settled) await store.changeSeries(tx, id, { extended_to: settled.onDate })
    if (made.size > 0) await dates.announce(tx, id)
    return firstLeft < 0
  }

  /** The first day that a date of the rhythm may be missing from. */
  function extendedFrom(row: store.SeriesRow): string {
    const after = row.extended_to === null ? row.first_on : dayText(dayNumber(row.extended_to) + 1)
    const today = localOf(clocksOf(row.timezone), clock.now()).onDate
    return after > today ? after : today
  }

  /** Makes the next date of a series. Returns whether there was one. */
  async function extendOnce(tx: Tx, id: string): Promise<boolean> {
    const row = await store.lockToBook(tx, id)
    if (row?.state !== 'active') return false
    const plan = planOf(row)
    const now = clock.now()
    const [onDate] = datesFrom(plan, extendedFrom(row), { count: 1 })
    if (onDate === undefined) return false
    const startsAt = dates.startOf(plan, onDate)
    if (startsAt > reservedUntil(now)) return false
    if ((await dateStore.isKnown(tx, id, onDate)) || startsAt <= now) {
      await store.changeSeries(tx, id, { extended_to: onDate })
      return true
    }
    const feePence = await series.feeOf(tx, row, onDate)
    const date = { onDate, startsAt, by: 'system' } as const
    const cause = await dates.reserveDate(tx, { id, methodId: chargedBy(row) }, { ...plan, feePence }, date)
    if (cause === 'blocked' && !(await practitioners.listed(tx, row.practitioner_id))) return false
    await store.changeSeries(tx, id, { extended_to: onDate })
    if (cause) {
      await dateStore.saveDate(tx, id, onDate, {
        state: 'conflict',
        conflictCause: cause,
        by: 'system',
        at: now,
      })
      const { alternatives } = await dates.conflictOf(tx, plan, { onDate, startsAt, cause })
      await outbox.note(tx, id, 'conflict', {
        about: onDate,
        on_date: onDate,
        starts: [startsAt.toISOString()],
        alternatives: alternatives.map((slot) => slot.startsAt.toISOString()),
      })
    }
    return true
  }

  /** Does what the deadlines of a series ask for now. Returns the payment intents to void. */
  async function keepDeadlines(tx: Tx, id: string): Promise<string[]> {
    const row = await store.lockSeries(tx, id)
    if (!row || row.state === 'ended') return []
    const now = clock.now()
    const today = localOf(clocksOf(row.timezone), now).onDate
    if (row.state === 'proposed') {
      if (!row.proposed_until || row.proposed_until > now) return []
      return ending.end(tx, row, { by: 'system', cause: 'not_answered' })
    }
    if (row.last_on !== null && row.last_on < today) {
      await ending.closeAfterLast(tx, row)
      return []
    }
    if (row.state === 'paused' && row.paused_until && row.paused_until <= now) {
      const paused = { paused_cause: row.paused_cause, paused_until: row.paused_until }
      const next = dateStore.nextUnpaid(await dateStore.listLive(tx, id, now))
      const until = keptUntil(paused, next, now)
      if (until > now) {
        await store.changeSeries(tx, id, { paused_until: until })
        return []
      }
      return ending.end(tx, row, { by: 'system', cause: row.paused_cause ?? 'unpaid' })
    }
    const [price] = await priceStore.listPriceChanges(tx, [id])
    if (price && price.answer === null && price.answer_by <= now) {
      if (!reaches(row, price.from_date)) {
        await priceStore.withdrawPrice(tx, id, row.last_on ?? price.from_date)
        return []
      }
      return ending.priceAnswered(tx, row, price, 'declined', null)
    }
    if (price?.answer === 'accepted' && price.from_date <= today) {
      await store.changeSeries(tx, id, { fee_pence: price.fee_pence })
      await priceStore.markApplied(tx, price.id, now)
      await dates.announce(tx, id)
    }
    return []
  }

  /** Tells both when no dates are made any more, and ends series whose last date is over. */
  async function followListings(): Promise<void> {
    const all = await store.listActivePractitioners(db)
    const listed = new Set(await practitioners.listedIds(db, all))
    for (const practitionerId of all) {
      const isListed = listed.has(practitionerId)
      for (const id of await store.listUnfollowed(db, practitionerId, isListed)) {
        await attempt(log, 'A series could not follow its practitioner.', () =>
          inTransaction(db, async (tx) => {
            const row = await store.lockSeries(tx, id)
            if (row?.state !== 'active') return
            if (isListed) {
              await store.changeSeries(tx, id, { unlisted_noted_at: null })
              return
            }
            const now = clock.now()
            const ahead = await dates.liveOfLine(tx, id)
            if (ahead.length === 0 && isSuspended(row, now)) {
              // Their sessions were cancelled for a lapse. Renewed facts let it go on.
              await pause(tx, row, 'suspension')
            } else if (row.unlisted_noted_at === null) {
              await store.changeSeries(tx, id, { unlisted_noted_at: now })
              await outbox.note(tx, id, 'unlisted')
              await dates.announce(tx, id)
            } else if (ahead.length === 0 && later(row.unlisted_noted_at, deadlines.unlisted) <= now) {
              await ending.end(tx, row, { by: 'system', cause: 'unlisted' })
            }
          }),
        )
      }
    }
  }

  /** Tells both when the practitioner's clocks are no longer those of the series: each confirms the hour. */
  async function followZones(): Promise<void> {
    for (const id of await store.listZoneChanged(db)) {
      await attempt(log, 'A series could not follow a zone.', () =>
        inTransaction(db, async (tx) => {
          const row = await store.lockSeries(tx, id)
          const zone = row && newZoneOf(row)?.timezone
          if (!zone || row.zone_noted === zone) return
          await store.changeSeries(tx, id, { zone_noted: zone })
          await outbox.note(tx, id, 'zone_changed', { about: zone, zone })
          await dates.announce(tx, id)
        }),
      )
    }
  }

  /** Pauses a series after two unpaid dates running, until the client pays for the next one. */
  async function noteUnpaid(tx: Tx, id: string): Promise<void> {
    const row = await store.lockSeries(tx, id)
    if (row?.state === 'active' && isRunUnpaid(await dateStore.listOutcomes(tx, id, lookedBack))) {
      await pause(tx, row, 'unpaid')
    }
  }

  /** Pauses a series once a lapse has cancelled the last of its sessions. Renewed facts let it go on. */
  async function noteLapsed(tx: Tx, id: string): Promise<void> {
    const row = await store.lockSeries(tx, id)
    const isLive = row?.state === 'active' || (row?.state === 'paused' && row.paused_cause === 'unpaid')
    if (!isLive || (await dateStore.listLive(tx, id, clock.now())).length > 0) return
    await pause(tx, row, 'suspension')
  }

  async function pause(tx: Tx, row: store.SeriesRow, cause: 'unpaid' | 'suspension'): Promise<void> {
    const now = clock.now()
    const next = dateStore.nextUnpaid(await dateStore.listLive(tx, row.id, now))
    await store.changeState(
      tx,
      row.id,
      { from: row.state, to: 'paused', by: 'system' },
      { paused_cause: cause, paused_until: pausedUntil(cause, now, next?.pay_by) },
    )
    if (cause === 'unpaid') await dates.useCard(tx, { ...row, paused_cause: cause })
    await outbox.note(tx, row.id, 'paused')
    await dates.announce(tx, row.id)
  }

  /** Goes on once the next date was paid on the page. */
  async function goOnPaid(tx: Tx, id: string): Promise<void> {
    const row = await store.lockSeries(tx, id)
    if (row?.state !== 'paused' || row.paused_cause !== 'unpaid') return
    await store.changeState(tx, id, { from: 'paused', to: 'active', by: 'client' })
    await dates.useCard(tx, { ...row, paused_cause: null })
    await queue.enqueue(tx, seriesExtendJob, { series_id: id })
  }
}
