import type { Outside, Schedule, ScheduledSession } from '#contract/availability/schedule.ts'
import type { Deps } from '../../../deps.ts'
import type { SignedIn } from '../../../http/caller.ts'
import type { Accounts } from '../../accounts/accounts.service.ts'
import type { Schedules } from '../../availability/schedule.service.ts'
import type { Practitioners } from '../../practitioners/practitioners.service.ts'
import { toScheduled } from '../bookings.mapper.ts'
import * as store from './practitioner-schedule.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  accounts: Pick<Accounts, 'names'>
  practitioners: Pick<Practitioners, 'locationsOf' | 'placesById'>
  schedules: Schedules
}

/** Above the number of sessions that a practitioner can have in the sixty days that can be booked. */
const maxAhead = 1500

export type PractitionerSchedule = ReturnType<typeof createPractitionerSchedule>

/** A practitioner's schedule with its sessions. */
export function createPractitionerSchedule({ db, clock, accounts, practitioners, schedules }: Dependencies) {
  return {
    /** The week of a day, by default today's, and every session ahead that lies outside the schedule. */
    async week(caller: SignedIn, day: string | undefined): Promise<Schedule> {
      const own = await schedules.own(db, caller)
      const plan = await schedules.plan(db, own, day)
      const [places, during, ahead] = await Promise.all([
        practitioners.locationsOf(db, own.id),
        store.listDuring(db, own.id, plan.during),
        store.listAhead(db, own.id, clock.now(), maxAhead),
      ])
      const outside = new Map<string, Outside>()
      for (const row of ahead) {
        // Help right now ignores the schedule: it depends only on the practitioner's availability switch.
        const reason = row.booking_type === 'schedule' ? plan.outsideOf(timeOf(row)) : null
        if (reason) outside.set(row.id, reason)
      }
      const rows = [...during, ...ahead.filter((row) => outside.has(row.id))]
      const names = await accounts.names(db, [...new Set(rows.map((row) => row.client_id))])
      const rooms = await practitioners.placesById(
        db,
        rows.flatMap((row) => row.location_id ?? []),
      )
      const toAnswer = (row: store.SessionRow): ScheduledSession =>
        toScheduled(row, {
          name: names.get(row.client_id),
          location: row.location_id === null ? undefined : rooms.get(row.location_id),
          outside: outside.get(row.id) ?? null,
        })
      return {
        schedule: plan.schedule,
        unfit: plan.unfit,
        version: own.schedule_version,
        timezone: own.timezone,
        rules: {
          notice_minutes: own.notice_minutes,
          pause_minutes: own.pause_minutes,
          series_rule: own.series_rule,
          waitlist: own.waitlist,
        },
        locations: places.map(({ location_id, location_name }) => ({ location_id, location_name })),
        week_starts: plan.weekStarts,
        today: plan.today,
        sessions: during.map(toAnswer),
        time_off: plan.timeOff,
        outside: ahead.filter((row) => outside.has(row.id)).map(toAnswer),
      }
    },
  }
}

const timeOf = (row: store.SessionRow) => ({
  startsAt: row.starts_at.getTime(),
  endsAt: row.ends_at.getTime(),
  appointmentType: row.appointment_type,
  locationId: row.location_id,
})
