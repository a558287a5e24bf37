import type { AppointmentType } from '#contract/common.ts'
import { days, later, minutes, mondayOf } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { bookClear, findObstacles, readClientsTimes } from './agreed-times.store.ts'
import { bookableRange, type FreeSlot, freeSlots, maxPauseMs, withPause } from './availability.rules.ts'
import { type Calendar, readCalendars } from './availability.store.ts'
import { clientBusy, notOffered, slotTaken } from './refusals.ts'
import { localDay, startOfDay, zoneOf } from './zone.ts'

/** A time that a client wants to book. */
export type WantedTime = {
  practitionerId: number
  clientId: string
  startsAt: Date
  durationMinutes: number
  appointmentType: AppointmentType
  /** Checked against the schedule when given. */
  locationId?: number | null
}

/** A time that two people have agreed to meet at. */
export type AgreedTime = WantedTime & {
  locationId: number | null
  /** The practitioner has proposed the time. Time off is in the way all the same. */
  mayLieOutsideSchedule: boolean
}

/** Why they cannot: `own_session` of the client; `blocked`: the practitioner does not offer the time. */
export type Obstacle = 'taken' | 'time_off' | 'blocked' | 'busy_elsewhere' | 'own_session' | 'past'

type Dependencies = Pick<Deps, 'clock' | 'random' | 'events'> & {
  practitioners: Pick<Practitioners, 'bookable' | 'lockRules'>
}

const nothing: Calendar = { schedule: [], taken: [] }

/** Times that two people agree on, such as the dates of a series. */
export function createAgreedTimes({ clock, random, events, practitioners }: Dependencies) {
  return {
    obstacleTo,

    /** When a client has sessions or held times in a range of instants, in epoch milliseconds. */
    clientsTimes: (handle: Db, clientId: string, during: { from: number; to: number }) =>
      readClientsTimes(handle, clientId, during, clock.now()),

    /**
     * Books those of some times, which the two have agreed on, that nothing is in the way of. Returns the reservations by
     * start in epoch milliseconds. A time that is not among them may be free all the same: `take` releases what has expired.
     */
    async takeClear(
      tx: Tx,
      { startsAt, ...wanted }: Omit<AgreedTime, 'startsAt'> & { startsAt: readonly Date[] },
    ): Promise<Map<number, string>> {
      const now = clock.now()
      const ahead = startsAt.filter((start) => start > now)
      const rules = ahead.length > 0 ? await practitioners.lockRules(tx, wanted.practitionerId) : undefined
      if (!rules || !wanted.mayLieOutsideSchedule) return new Map()
      const { practitionerId, clientId, durationMinutes } = wanted
      const booked = await bookClear(tx, {
        ids: ahead.map(() => random.uuid(now)),
        starts: ahead,
        practitionerId,
        clientId,
        durationMinutes,
        pauseMinutes: rules.pauseMinutes,
        now,
      })
      if (booked.length > 0) {
        await events.announce(tx, 'availability.changed', { practitionerId, freesNothing: true })
      }
      return new Map(booked.map(({ id, starts_at }) => [starts_at.getTime(), id]))
    },

    /**
     * A time that the two have agreed on, as a slot. The practitioner's other calendar is not in its way.
     * @throws 422 `slot_not_offered`; 409 `slot_taken`, `client_busy`
     */
    async free(tx: Tx, wanted: WantedTime, except: string) {
      const time = { ...wanted, locationId: wanted.locationId ?? null, mayLieOutsideSchedule: true }
      const { pauseMinutes, conflict } = await obstacleTo(tx, time, { isLocked: true, except: [except] })
      if (conflict === 'own_session') throw clientBusy()
      if (conflict === 'past' || conflict === 'blocked') throw notOffered()
      if (conflict && conflict !== 'busy_elsewhere') throw slotTaken()
      const startsAt = wanted.startsAt.getTime()
      const slot: FreeSlot = {
        startsAt,
        endsAt: startsAt + minutes(wanted.durationMinutes),
        appointmentType: wanted.appointmentType,
        locationId: time.locationId,
      }
      return { slot, pauseMinutes, isTooClose: false }
    },

    /**
     * The free times of the week of a time, at most `limit`, nearest to it first. Days are those of `timezone`. The times
     * may lie beyond the public horizon.
     */
    async nearestFree(
      handle: Db,
      wanted: Omit<AgreedTime, 'mayLieOutsideSchedule'> & { timezone: string },
      limit: number,
    ): Promise<FreeSlot[]> {
      const { practitionerId, clientId, startsAt, durationMinutes, appointmentType, locationId } = wanted
      const bookable = (await practitioners.bookable(handle, [practitionerId])).get(practitionerId)
      if (!bookable) return []
      const now = clock.now()
      const zone = zoneOf(wanted.timezone)
      const monday = mondayOf(localDay(zone, startsAt.getTime()))
      const from = Math.max(
        startOfDay(zone, monday),
        bookableRange(now.getTime(), bookable.leadTimeMinutes).from,
      )
      const to = startOfDay(zone, monday + 7)
      if (to <= from) return []
      const around = { from: from - maxPauseMs, to: to + days(1) }
      const { schedule, taken } =
        (await readCalendars(handle, [practitionerId], around, now)).get(practitionerId) ?? nothing
      const own = await readClientsTimes(handle, clientId, around, now)
      const slots = freeSlots({
        zone: zoneOf(bookable.timezone),
        schedule,
        busy: [...withPause(taken, bookable.pauseMinutes), ...own],
        from,
        to,
        durations: { [appointmentType]: durationMinutes },
      })
      const distance = (slot: FreeSlot) => Math.abs(slot.startsAt - startsAt.getTime())
      return slots
        .filter((slot) => locationId === null || slot.locationId === locationId)
        .toSorted((a, b) => distance(a) - distance(b) || a.startsAt - b.startsAt)
        .slice(0, limit)
    },
  }

  /**
   * Why a client and a practitioner cannot meet at a time that they agreed on; undefined if they can. `isLocked` keeps
   * the practitioner's rules from being changed until the transaction ends. Reservations of `except` are not in the way.
   */
  async function obstacleTo(
    handle: Db,
    wanted: AgreedTime,
    { isLocked, except = [] }: { isLocked: boolean; except?: readonly string[] },
  ): Promise<{ pauseMinutes: number; conflict: Obstacle | undefined }> {
    const { practitionerId, startsAt, durationMinutes } = wanted
    const now = clock.now()
    if (startsAt <= now) return { pauseMinutes: 0, conflict: 'past' }
    const rules = isLocked
      ? await practitioners.lockRules(handle as Tx, practitionerId)
      : (await practitioners.bookable(handle, [practitionerId])).get(practitionerId)
    if (!rules) return { pauseMinutes: 0, conflict: 'blocked' }
    const { pauseMinutes } = rules
    const endsAt = later(startsAt, minutes(durationMinutes))
    const found = await findObstacles(handle, {
      ...wanted,
      endsAt,
      pauseMinutes,
      now,
      except,
    })
    const conflict = found.timeOff
      ? ('time_off' as const)
      : found.taken
        ? ('taken' as const)
        : found.own
          ? ('own_session' as const)
          : !wanted.mayLieOutsideSchedule && !(await isScheduled(handle, wanted, rules))
            ? ('blocked' as const)
            : found.elsewhere
              ? ('busy_elsewhere' as const)
              : undefined
    return { pauseMinutes, conflict }
  }

  /** Whether the schedule offers a time, ignoring what is in the way. */
  async function isScheduled(
    handle: Db,
    wanted: AgreedTime,
    { timezone }: { timezone: string },
  ): Promise<boolean> {
    const from = wanted.startsAt.getTime()
    const calendars = await readCalendars(
      handle,
      [wanted.practitionerId],
      { from, to: from + 1 },
      clock.now(),
    )
    const { schedule } = calendars.get(wanted.practitionerId) ?? nothing
    const durations = { [wanted.appointmentType]: wanted.durationMinutes }
    const [slot] = freeSlots({ zone: zoneOf(timezone), schedule, busy: [], from, to: from + 1, durations })
    return slot !== undefined && (wanted.locationId === null || slot.locationId === wanted.locationId)
  }
}
