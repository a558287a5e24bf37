import type {
  AvailableNow,
  BookingRules,
  DayRecord,
  TimeOff,
  TimeOffSent,
} from '#contract/availability/schedule.ts'
import type { BodyOf } from '#contract/endpoints.ts'
import type { AvailableHours } from '#contract/practitioners/practitioners.ts'
import { dayNumber, dayText, hours, later, mondayOf } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fail, invalidField, notFound } from '../../errors.ts'
import type { SignedIn } from '../../http/caller.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { type FreeSlot, unfitFormats } from './availability.rules.ts'
import { isSameWeek, outsideOf, toAvailableHours, toDayRecords, weekOf } from './schedule.rules.ts'
import * as store from './schedule.store.ts'
import { moveTo, rangeOf, toLocal } from './time-off.rules.ts'
import { localDay, startOfDay, zoneOf } from './zone.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'events'> & {
  practitioners: Pick<
    Practitioners,
    'ofAccount' | 'listed' | 'work' | 'lockWork' | 'changeWork' | 'locationsOf' | 'servicesOf'
  >
}

/** How long a practitioner is available now by default, and at most. */
const availableFor = { usual: hours(2), longest: hours(12) }
/** Most entries of time off per practitioner. Every query of free time scans them. */
const maxTimeOff = 200
/** Weeks further back or ahead than this are not shown. */
const furthestDays = 5 * 366

type Own = { id: number; timezone: string }

export type Schedules = ReturnType<typeof createSchedules>

/** A practitioner's weekly schedule, lead time and pause, time off, and "available now". */
export function createSchedules({ db, clock, events, practitioners }: Dependencies) {
  return {
    /**
     * Saves the weekly schedule. Booked sessions stay booked. The week that is saved already is left as it is.
     * @throws 422 under `schedule`; 409 `changed_elsewhere` when `version` is no longer the saved one
     */
    async save(caller: SignedIn, body: BodyOf<'POST /therapist/setup-schedule'>): Promise<'success'> {
      const { schedule, version } = Array.isArray(body) ? { schedule: body, version: undefined } : body
      await inTransaction(db, async (tx) => {
        const { id, schedule_version: saved } = await lockOwn(tx, caller)
        const places = await practitioners.locationsOf(tx, id)
        const week = weekOf(
          schedule,
          places.map((place) => place.location_id),
        )
        if (version !== undefined && version !== saved) {
          // The same save again, whose answer was lost, has overwritten nothing.
          if (week.problems.length === 0 && isSameWeek(week.hours, await store.readWeek(tx, id))) return
          throw changedElsewhere(saved)
        }
        if (week.problems.length > 0) throw unplaced(week.problems, places.length)
        await store.replaceWeek(tx, id, week.hours)
        await practitioners.changeWork(tx, id, { schedule_version: saved + 1 })
        await narrowed(tx, id)
      })
      return 'success'
    },

    async calendar(caller: SignedIn): Promise<DayRecord[]> {
      const { id } = await own(db, caller)
      return toDayRecords(await store.readWeek(db, id))
    },

    /**
     * Updates lead time, pause, the rule for regular sessions and whether the waitlist is open; an absent one stays.
     * @throws 409 `changed_elsewhere` when another window has changed the same value since `seen`
     */
    async setRules(
      caller: SignedIn,
      { seen, ...body }: BodyOf<'PUT /therapist/booking-rules'>,
    ): Promise<BookingRules> {
      return inTransaction(db, async (tx) => {
        const { id, ...before } = await lockOwn(tx, caller)
        if (seen && ruleNames.some((name) => isOverwritten(name, { before, seen, wanted: body }))) {
          throw fail(
            'changed_elsewhere',
            'Your notice, pause, regular sessions or waitlist was saved in another window. Nothing was overwritten.',
          )
        }
        const rules = {
          notice_minutes: body.notice_minutes ?? before.notice_minutes,
          pause_minutes: body.pause_minutes ?? before.pause_minutes,
          series_rule: body.series_rule ?? before.series_rule,
          waitlist: body.waitlist ?? before.waitlist,
        }
        await practitioners.changeWork(tx, id, rules)
        // A longer pause applies to new bookings alone. A shorter one also frees time around booked sessions.
        await store.shortenPauses(tx, id, rules.pause_minutes, clock.now())
        if (rules.waitlist !== before.waitlist) {
          await events.announce(tx, 'practitioner.changed', { practitionerId: id })
        }
        await events.announce(tx, 'availability.changed', { practitionerId: id })
        return rules
      })
    },

    async timeOff(caller: SignedIn): Promise<TimeOff[]> {
      const { id, timezone } = await own(db, caller)
      return toAnswers(await store.readTimeOff(db, id, { from: clock.now() }), timezone)
    },

    /** Adds time off. A range that exists already is returned unchanged. @throws 422 by field */
    async takeTimeOff(caller: SignedIn, body: TimeOffSent): Promise<TimeOff> {
      return inTransaction(db, async (tx) => {
        const { id, timezone, available_now_until: until } = await lockOwn(tx, caller)
        const now = clock.now()
        const range = rangeOf(body, zoneOf(timezone), now.getTime())
        if ('field' in range) throw invalidField(range.field, range.message)
        const isSame = (row: store.TimeOffRow) => row.from === range.from && row.to === range.to
        const before = await store.readTimeOff(tx, id, { from: now })
        if (!before.some(isSame)) {
          if (before.length >= maxTimeOff) {
            throw invalidField('first_day', `You have ${maxTimeOff} entries. Remove one of them first.`)
          }
          await store.insertTimeOff(tx, id, range, timezone)
          // Time off comes later than the switch, which would go on bringing requests for help.
          if (until && range.from < until.getTime() && range.to > now.getTime()) {
            const kept = range.from > now.getTime() ? new Date(range.from) : null
            await practitioners.changeWork(tx, id, { available_now_until: kept })
          }
          await narrowed(tx, id)
        }
        const rows = await store.readTimeOff(tx, id, { from: now })
        const [added] = toAnswers(rows.filter(isSame), timezone)
        if (!added) throw new Error('Time off that was stored is not there.')
        return added
      })
    },

    /** @throws 404 */
    async endTimeOff(caller: SignedIn, timeOffId: number): Promise<'success'> {
      await inTransaction(db, async (tx) => {
        const { id } = await lockOwn(tx, caller)
        if (!(await store.deleteTimeOff(tx, id, timeOffId))) throw notFound('This time off')
        await events.announce(tx, 'availability.changed', { practitionerId: id })
      })
      return 'success'
    },

    async availableNow(caller: SignedIn): Promise<AvailableNow> {
      const { id, available_now_until: until } = await own(db, caller)
      return toAvailableNow(db, id, until)
    },

    /** @throws 422 `until` */
    async setAvailableNow(
      caller: SignedIn,
      { available, until }: BodyOf<'PUT /therapist/available-now'>,
    ): Promise<AvailableNow> {
      const now = clock.now()
      const end = until == null ? later(now, availableFor.usual) : new Date(until)
      if (available && end <= now) throw invalidField('until', 'Choose a time in the future.')
      if (available && end > later(now, availableFor.longest)) {
        throw invalidField('until', 'Choose a time within the next twelve hours.')
      }
      return inTransaction(db, async (tx) => {
        const { id } = await lockOwn(tx, caller)
        const kept = available ? end : null
        await practitioners.changeWork(tx, id, { available_now_until: kept })
        if (!kept) await events.announce(tx, 'availability.narrowed', { practitionerId: id })
        return toAvailableNow(tx, id, kept)
      })
    },

    /** Moves time off to the practitioner's new zone, at the same local days and hours. */
    async followZone(tx: Tx, practitionerId: number): Promise<void> {
      const work = await practitioners.work(tx, practitionerId)
      if (!work) return
      for (const row of await store.readTimeOff(tx, practitionerId, { from: clock.now() })) {
        if (row.timezone === work.timezone) continue
        const moved = moveTo(row, zoneOf(row.timezone), zoneOf(work.timezone))
        await store.moveTimeOff(tx, row.id, moved, work.timezone)
      }
    },

    /**
     * Deletes the scheduled hours at deleted places, and raises the version if there were any: a save from an older one gets
     * a 409. Times that are held at them stand for the waitlist to withdraw.
     */
    async leavePlaces(tx: Tx, practitionerId: number, locationIds: number[]): Promise<void> {
      const work = await practitioners.lockWork(tx, practitionerId)
      if (!work) return
      if (await store.deleteHoursAt(tx, practitionerId, locationIds)) {
        await practitioners.changeWork(tx, practitionerId, { schedule_version: work.schedule_version + 1 })
      }
      await events.announce(tx, 'availability.changed', { practitionerId })
    },

    // For later modules --------------------------------------------------------------------------------------------

    /** The saved weekly hours of practitioners, those without any included. */
    async weeklyHours(handle: Db, practitionerIds: number[]): Promise<Map<number, AvailableHours>> {
      const rows = await store.readWeeks(handle, practitionerIds)
      return new Map(
        rows.map(({ id, hours: starts }) => [
          id,
          toAvailableHours(starts.map(([weekday, hour]) => ({ weekday, hour }))),
        ]),
      )
    },

    /** Whether a practitioner's week has hours, and a session fits into any of them. */
    async fitOf(handle: Db, id: number): Promise<'no hours' | 'no session fits' | 'fits'> {
      const { hours: scheduled, unfit } = await readWeek(handle, id)
      if (scheduled.length === 0) return 'no hours'
      return scheduled.every((each) => unfit.includes(each.appointment_type)) ? 'no session fits' : 'fits'
    },

    own,

    /** The instants of a range of time off that the caller wants. @throws 404; 422 by field */
    async rangeOf(
      caller: SignedIn,
      body: TimeOffSent,
    ): Promise<{ id: number; range: { from: Date; to: Date } }> {
      const { id, timezone } = await own(db, caller)
      const range = rangeOf(body, zoneOf(timezone), clock.now().getTime())
      if ('field' in range) throw invalidField(range.field, range.message)
      return { id, range: { from: new Date(range.from), to: new Date(range.to) } }
    },

    /** The instants of time off of the caller that is not over. @throws 404 */
    async timeOffOf(
      caller: SignedIn,
      timeOffId: number,
    ): Promise<{ id: number; range: { from: Date; to: Date } }> {
      const { id } = await own(db, caller)
      const row = (await store.readTimeOff(db, id, { from: clock.now() })).find(
        (each) => each.id === timeOffId,
      )
      if (!row) throw notFound('This time off')
      return { id, range: { from: new Date(row.from), to: new Date(row.to) } }
    },

    /** The schedule, and the week of `day` with its time off. `outsideOf` compares a session with the schedule. */
    async plan(handle: Db, { id, timezone }: Own, day: string | undefined) {
      const zone = zoneOf(timezone)
      const now = clock.now()
      const today = localDay(zone, now.getTime())
      const wanted = day === undefined ? today : dayNumber(day)
      const monday = mondayOf(Math.min(Math.max(wanted, today - furthestDays), today + furthestDays))
      const during = {
        from: new Date(startOfDay(zone, monday)),
        to: new Date(startOfDay(zone, monday + 7)),
      }
      const [{ hours: schedule, unfit }, awayInWeek, awayAhead] = await Promise.all([
        readWeek(handle, id),
        store.readTimeOff(handle, id, during, now),
        store.readTimeOff(handle, id, { from: now }),
      ])
      return {
        schedule: toDayRecords(schedule),
        unfit,
        during,
        weekStarts: dayText(monday),
        today: dayText(today),
        timeOff: toAnswers(awayInWeek, timezone),
        outsideOf: (session: FreeSlot) => outsideOf(session, { zone, schedule, timeOff: awayAhead }),
      }
    },
  }

  /** The caller's settings for bookings. @throws 404 for an account without a practitioner */
  async function own(handle: Db, caller: SignedIn) {
    const practitioner = await practitioners.ofAccount(handle, caller.accountId)
    const work = practitioner && (await practitioners.work(handle, practitioner.id))
    if (!work) throw notFound('This profile')
    return work
  }

  /** The saved hours, and the formats of them in which no session fits. */
  async function readWeek(handle: Db, id: number) {
    const [scheduled, services] = await Promise.all([
      store.readWeek(handle, id),
      practitioners.servicesOf(handle, id),
    ])
    return { hours: scheduled, unfit: unfitFormats(scheduled, services) }
  }

  /** Announces that working time may have gone. */
  async function narrowed(tx: Tx, practitionerId: number): Promise<void> {
    await events.announce(tx, 'availability.changed', { practitionerId })
    await events.announce(tx, 'availability.narrowed', { practitionerId })
  }

  async function lockOwn(tx: Tx, caller: SignedIn) {
    const practitioner = await practitioners.ofAccount(tx, caller.accountId)
    const work = practitioner && (await practitioners.lockWork(tx, practitioner.id))
    if (!work) throw notFound('This profile')
    return work
  }

  async function toAvailableNow(handle: Db, id: number, until: Date | null): Promise<AvailableNow> {
    const available = until !== null && until > clock.now()
    return {
      available,
      until: available ? until.toISOString() : null,
      listed: await practitioners.listed(handle, id),
    }
  }
}

const ruleNames = ['notice_minutes', 'pause_minutes', 'series_rule', 'waitlist'] as const

type RuleChange = { before: BookingRules; seen: Partial<BookingRules>; wanted: Partial<BookingRules> }

/** Whether a change would overwrite another one made since `seen`. */
const isOverwritten = (name: (typeof ruleNames)[number], { before, seen, wanted }: RuleChange) =>
  wanted[name] !== undefined &&
  seen[name] !== undefined &&
  before[name] !== seen[name] &&
  before[name] !== wanted[name]

function toAnswers(rows: store.TimeOffRow[], timezone: string): TimeOff[] {
  return rows.map((row) => ({
    time_off_id: row.id,
    ...toLocal(row, zoneOf(timezone)),
    starts_at: new Date(row.from).toISOString(),
    ends_at: new Date(row.to).toISOString(),
    booked_sessions: row.booked_sessions,
  }))
}

function changedElsewhere(version: number) {
  return fail('changed_elsewhere', 'Your schedule was saved in another window. Nothing was overwritten.', {
    details: { version },
  })
}

function unplaced(problems: string[], places: number) {
  const message =
    places === 0
      ? 'Add a place where you see people before you offer face-to-face hours.'
      : 'Some face-to-face hours need a place.'
  return fail('validation_failed', message, { errors: { schedule: places === 0 ? [message] : problems } })
}
