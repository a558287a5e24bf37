import type { Agreement, ConflictCause } from '#contract/series/series.ts'
import { shownDates } from '#contract/series/series.ts'
import type { AppointmentType } from '#contract/common.ts'
import { dayNumber, days, dayText, later, minutes } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { fail, invalidField, ProductError } from '../../errors.ts'
import { clocksOf } from '../availability/availability.service.ts'
import type { SeriesDependencies } from './series.deps.ts'
import type { Facts } from './series.mail-facts.ts'
import { type ConflictFacts, toConflict } from './series.mapper.ts'
import { datesFrom, feeOn, localOf, reservedUntil, type Side, startOn } from './series.rules.ts'
import * as store from './series.store.ts'
import * as dateStore from './series-dates.store.ts'
import type { PriceRow } from './series-prices.store.ts'

/** What the dates of a series are made from, before and after it is made. */
export type Plan = {
  clientId: string
  practitionerId: number
  serviceId: number
  appointmentType: AppointmentType
  locationId: number | null
  startMinute: number
  durationMinutes: number
  timezone: string
  first_on: string
  last_on: string | null
  every_weeks: 1 | 2 | 4
  feePence: number
  /** A new price that goes on from the series in whose place this one comes. */
  newPrice?: PriceRow | undefined
  /** The practitioner has proposed or agreed to the hour. */
  mayLieOutsideSchedule: boolean
  /** The date that is kept for the client until they answer. */
  keptOn: string | null
  /** Reservations of the series in whose place this one comes that are released as it begins. */
  frees?: readonly string[]
}

/** The price of a date of a plan. Pence. */
export const feeInPlan = (plan: Plan, onDate: string): number =>
  feeOn({ fee_pence: plan.feePence }, plan.newPrice, onDate)

export const planOf = (row: store.SeriesRow): Plan => ({
  clientId: row.client_id,
  practitionerId: row.practitioner_id,
  serviceId: row.service_id,
  appointmentType: row.appointment_type,
  locationId: row.location_id,
  startMinute: row.start_minute,
  durationMinutes: row.duration_minutes,
  timezone: row.timezone,
  first_on: row.first_on,
  last_on: row.last_on,
  every_weeks: row.every_weeks,
  feePence: row.fee_pence,
  mayLieOutsideSchedule:
    row.agreed_at !== null || row.proposed_by === 'practitioner' || row.accepted_at !== null,
  keptOn: row.kept_reservation_id === null ? null : row.first_on,
})

const terms = [
  'first_on',
  'every_weeks',
  'startMinute',
  'durationMinutes',
  'serviceId',
  'appointmentType',
  'locationId',
  'feePence',
] as const

/** Whether two plans have the same rhythm, service and price. */
export const isSamePlan = (one: Plan, other: Plan): boolean =>
  terms.every((term) => one[term] === other[term])

/** The card that the dates of a series are charged to; none while it is paused for a payment. */
export const chargedBy = (row: Pick<store.SeriesRow, 'paused_cause' | 'payment_method_id'>): string | null =>
  row.paused_cause === 'unpaid' ? null : row.payment_method_id

/** A date before it has a session. */
export type PlannedDate = {
  onDate: string
  startsAt: Date
  endsAt: Date
  /** Whether it is reserved as soon as it can be. */
  isNear: boolean
  conflict: ConflictFacts | null
}

export type SeriesDates = ReturnType<typeof createDates>

/** The dates of series: which there are, what is in their way, and how they become sessions. */
export function createDates({
  clock,
  events,
  reserved,
}: Pick<SeriesDependencies, 'clock' | 'events' | 'reserved'>) {
  return {
    startOf,
    rhythmOf,
    upcoming,
    conflictOf,

    /** The first dates of a plan that begin after now, with what is in their way today. */
    async preview(handle: Db, plan: Plan): Promise<PlannedDate[]> {
      const until = reservedUntil(clock.now())
      const found: PlannedDate[] = []
      for (const onDate of upcoming(plan, shownDates)) {
        const startsAt = startOf(plan, onDate)
        const cause =
          onDate === plan.keptOn
            ? undefined
            : await reserved.check(handle, { ...wantedBy(plan), startsAt }, plan.frees)
        found.push({
          onDate,
          startsAt,
          endsAt: later(startsAt, minutes(plan.durationMinutes)),
          isNear: startsAt <= until,
          conflict: cause ? await conflictOf(handle, plan, { onDate, startsAt, cause }) : null,
        })
      }
      return found
    },

    /**
     * Reserves the first dates of a series as the client has resolved them. Returns the last one that is settled.
     * @throws 409 `series_conflict` with every date that is in conflict; nothing is reserved then
     */
    async agree(
      tx: Tx,
      series: { id: string; methodId: string },
      plan: Plan,
      choices: Agreement['dates'],
      skippedAnyway: ReadonlySet<string> = new Set(),
    ): Promise<{ extendedTo: string | null }> {
      const now = clock.now()
      const until = reservedUntil(now)
      const chosen = new Map(choices.map((choice) => [choice.on_date, choice]))
      const shown = upcoming(plan, shownDates)
      for (const { on_date } of choices) {
        if (!shown.includes(on_date))
          throw invalidField('dates', 'One of these days is not a date of the series.')
      }
      const conflicts: { onDate: string; startsAt: Date; cause: ConflictCause }[] = []
      let extendedTo: string | null = null
      for (const onDate of shown) {
        const rhythmStart = startOf(plan, onDate)
        const choice = chosen.get(onDate)
        const isNear = rhythmStart <= until
        if (isNear) extendedTo = onDate
        if (skippedAnyway.has(onDate)) {
          await dateStore.saveDate(tx, series.id, onDate, { state: 'skipped', by: 'system', at: now })
        } else if (choice?.action === 'skip') {
          await dateStore.saveDate(tx, series.id, onDate, { state: 'skipped', by: 'client', at: now })
        } else if (choice?.action === 'move' || isNear) {
          const startsAt = choice?.action === 'move' ? movedTo(choice.starts_at, rhythmStart) : rhythmStart
          const fees = { ...plan, feePence: feeInPlan(plan, onDate) }
          const cause = await reserveDate(tx, series, fees, { onDate, startsAt, by: 'client' })
          if (cause) conflicts.push({ onDate, startsAt: rhythmStart, cause })
        }
      }
      if (conflicts.length > 0) throw await conflicting(tx, plan, conflicts)
      await reserved.useDiscount(tx, series.id, series.methodId)
      return { extendedTo }
    },

    reserveDate,

    /** As `reserveDate`, for a date of a series that goes on. @throws 409 `series_conflict` */
    async reserveOwn(
      tx: Tx,
      row: store.SeriesRow,
      feePence: number,
      date: Parameters<typeof reserveDate>[3],
    ): Promise<void> {
      const plan = planOf(row)
      const series = { id: row.id, methodId: chargedBy(row) }
      const cause = await reserveDate(tx, series, { ...plan, feePence }, date)
      if (cause) throw await conflicting(tx, plan, [{ ...date, cause }])
    },

    /** Reserves those of several new dates of a series, each at its own hour, that nothing is in the way of. Returns them. */
    async reserveClear(
      tx: Tx,
      { id: seriesId, methodId }: { id: string; methodId: string | null },
      plan: Plan,
      wanted: readonly { onDate: string; startsAt: Date; feePence: number }[],
    ): Promise<Set<string>> {
      const about = { ...wantedBy(plan), seriesId, serviceId: plan.serviceId, methodId }
      const reservedAt = await reserved.reserveClear(tx, about, wanted)
      const made = wanted.flatMap(({ onDate, startsAt }) => {
        const appointmentId = reservedAt.get(startsAt.getTime())
        return appointmentId ? { onDate, appointmentId } : []
      })
      if (made.length > 0) {
        await dateStore.insertPlanned(tx, {
          seriesId,
          dates: made.map(({ onDate }) => onDate),
          appointments: made.map(({ appointmentId }) => appointmentId),
          by: 'system',
          at: clock.now(),
        })
      }
      return new Set(made.map(({ onDate }) => onDate))
    },

    /** Has the dates of a series that a suspension or lapse cancelled made again, those that are still ahead. */
    async makeAgain(tx: Tx, row: store.SeriesRow): Promise<void> {
      const now = clock.now()
      const today = localOf(clocksOf(row.timezone), now).onDate
      const first = await dateStore.deleteSuspended(tx, row.id, { now, today })
      if (first === undefined || row.extended_to === null || row.extended_to < first) return
      await store.changeSeries(tx, row.id, { extended_to: dayText(dayNumber(first) - 1) })
    },

    /** Sessions of a series, and of those in whose place it came, that are booked and have not ended, soonest first. */
    async liveOfLine(handle: Db, id: string, from?: string) {
      return dateStore.listLive(handle, await store.listLine(handle, id), clock.now(), from)
    },

    /** Has the unpaid sessions of a series, and of those in whose place it came, paid with its card. */
    async useCard(tx: Tx, row: { id: string } & Parameters<typeof chargedBy>[0]): Promise<void> {
      await reserved.useCard(tx, await store.listLine(tx, row.id), chargedBy(row))
    },

    movedTo,
    conflicting,

    /** Cancels a session of a series if it is still unpaid, and begins at `startsAt`. Returns the payment intents to void. */
    async cancelUnpaid(
      tx: Tx,
      id: string,
      why: {
        by: Side
        code?: 'series_ended' | 'absence' | 'closed'
        reason?: string | null
        startsAt?: Date
      },
    ): Promise<string[] | undefined> {
      return reserved.cancelReserved(tx, id, why).catch((error: unknown) => {
        if (error instanceof ProductError && ['not_changeable', 'changed_elsewhere'].includes(error.code)) {
          return undefined
        }
        throw error
      })
    },

    /** Announces that a series or one of its dates changed. */
    announce: (tx: Tx, seriesId: string) => events.announce(tx, 'series.changed', { seriesId }),
  }

  function startOf(plan: Pick<Plan, 'timezone' | 'startMinute'>, onDate: string): Date {
    return startOn(clocksOf(plan.timezone), onDate, plan.startMinute)
  }

  /** The rhythm of a series, as the mail about its change stores it. */
  function rhythmOf(row: store.SeriesRow): Facts['replaced'] {
    return { hour: startOf(planOf(row), row.first_on).toISOString(), every_weeks: row.every_weeks }
  }

  /** The next dates of the rhythm that have not begun. */
  function upcoming(plan: Plan, count: number): string[] {
    const now = clock.now()
    const today = localOf(clocksOf(plan.timezone), now).onDate
    const from = today > plan.first_on ? today : plan.first_on
    return datesFrom(plan, from, { count: count + 1 })
      .filter((onDate) => startOf(plan, onDate) > now)
      .slice(0, count)
  }

  async function conflictOf(
    handle: Db,
    plan: Plan,
    { onDate, startsAt, cause }: { onDate: string; startsAt: Date; cause: ConflictCause },
  ): Promise<ConflictFacts> {
    const alternatives =
      cause === 'past' ? [] : await reserved.nearestFree(handle, { ...wantedBy(plan), startsAt })
    return { onDate, startsAt, cause, alternatives }
  }

  async function conflicting(
    handle: Db,
    plan: Plan,
    conflicts: { onDate: string; startsAt: Date; cause: ConflictCause }[],
  ): Promise<ProductError> {
    const facts: ConflictFacts[] = []
    for (const conflict of conflicts) facts.push(await conflictOf(handle, plan, conflict))
    return fail(
      'series_conflict',
      facts.length === 1
        ? 'One of these dates is not free. Skip it or choose another time.'
        : 'Some of these dates are not free. Skip them or choose other times.',
      { details: { conflicts: facts.map(toConflict) } },
    )
  }

  /** Reserves a date, at its own hour or another one. Returns why it cannot be had; nothing is stored then. */
  async function reserveDate(
    tx: Tx,
    { id: seriesId, methodId }: { id: string; methodId: string | null },
    plan: Plan,
    {
      onDate,
      startsAt,
      by,
      mayBeBusyElsewhere = false,
    }: { onDate: string; startsAt: Date; by: Side; mayBeBusyElsewhere?: boolean },
  ): Promise<ConflictCause | undefined> {
    const isOwnHour = startsAt.getTime() === startOf(plan, onDate).getTime()
    const outcome = await reserved.reserve(tx, {
      ...wantedBy(plan),
      // Another hour is one of those that are offered.
      mayLieOutsideSchedule: isOwnHour && plan.mayLieOutsideSchedule,
      mayBeBusyElsewhere,
      seriesId,
      serviceId: plan.serviceId,
      feePence: plan.feePence,
      methodId,
      startsAt,
    })
    if ('conflict' in outcome) return outcome.conflict
    const isLinked = await dateStore.linkDate(tx, seriesId, onDate, {
      state: isOwnHour ? 'planned' : 'moved',
      appointmentId: outcome.appointmentId,
      by,
      at: clock.now(),
    })
    // Another date of the series was moved to this hour.
    if (!isLinked) return 'own_session'
    return undefined
  }
}

const wantedBy = (plan: Plan) => ({
  clientId: plan.clientId,
  practitionerId: plan.practitionerId,
  appointmentType: plan.appointmentType,
  locationId: plan.locationId,
  durationMinutes: plan.durationMinutes,
  timezone: plan.timezone,
  mayLieOutsideSchedule: plan.mayLieOutsideSchedule,
})

/** How far another time may lie from a date's own. */
const furthestMs = days(7)

/** @throws 422 without a time, or for one of another week */
function movedTo(startsAt: string | null | undefined, rhythmStart: Date): Date {
  const wanted = startsAt == null ? undefined : new Date(startsAt)
  if (!wanted || Math.abs(wanted.getTime() - rhythmStart.getTime()) > furthestMs) {
    throw invalidField('starts_at', 'Choose another time within a week of the date.')
  }
  return wanted
}
