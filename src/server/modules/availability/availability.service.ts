import type { z } from 'zod'
import type { AvailableSessions, SlotQuery } from '#contract/availability/availability.ts'
import type { AppointmentType } from '#contract/common.ts'
import type { Db, Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import { fail, notFound } from '../../errors.ts'
import {
  type BookableService,
  type Busy,
  bookableRange,
  durationsOf,
  type FreeSlot,
  freeSlots,
  horizonDays,
  outlookOf,
  overlaps,
  type PractitionerOutlook,
  shortestServices,
  withPause,
} from './availability.rules.ts'
import * as store from './availability.store.ts'
import { dayNumber, localDay, localText, startOfDay, zoneOf } from './zone.ts'

type Rules = { timezone: string; leadTimeMinutes: number; pauseMinutes: number }

/** Facts about a practitioner that availability needs. */
export type Bookable = Rules & {
  services: BookableService[]
}

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'events'> & {
  practitioners: {
    /** Those of the given practitioners that are listed. */
    bookable(db: Db, ids: number[]): Promise<Map<number, Bookable>>
    /** Locks the rules of a listed practitioner until the transaction ends. */
    lockRules(tx: Tx, id: number): Promise<Rules | undefined>
  }
}

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

/** How many unpaid holds a client may have at a time. */
export const holdsPerClient = 2

/** The zone of the days that the search filters by. */
const searchZone = 'Europe/London'
const day = 86_400_000
const minute = 60_000
/** How far outside a range a session can lie and still block a time within it. */
const maxPauseMs = 60 * minute
const nothing: store.Calendar = { schedule: [], taken: [] }

export type Availability = ReturnType<typeof createAvailability>

/** Free times of practitioners, and the reservations that block them. */
export function createAvailability({ db, clock, random, events, practitioners }: Dependencies) {
  return {
    /** Free starts of a listed practitioner over some days of the viewer's zone. @throws 404 */
    async nextSessions(practitionerId: number, query: z.infer<typeof SlotQuery>): Promise<AvailableSessions> {
      const bookable = (await practitioners.bookable(db, [practitionerId])).get(practitionerId)
      if (!bookable) throw notFound('This practitioner')
      const viewer = zoneOf(query.timezone ?? 'Europe/London')
      const now = clock.now().getTime()
      const firstDay = query.from ? dayNumber(query.from) : localDay(viewer, now)
      const slots = await freeBetween(practitionerId, bookable, {
        from: startOfDay(viewer, firstDay),
        to: startOfDay(viewer, firstDay + (query.days ?? 1)),
        durations: durationsOf(bookable.services, query.service_id, query.appointment_type),
      })
      return {
        // A start that is free online and face to face is one free time.
        free_datetime: [...new Set(slots.map((slot) => localText(viewer, slot.startsAt)))],
        slots: slots.map((slot) => ({
          starts_at: new Date(slot.startsAt).toISOString(),
          ends_at: new Date(slot.endsAt).toISOString(),
          appointment_type: slot.appointmentType,
          location_id: slot.locationId,
        })),
        timezone: viewer.name,
      }
    },

    /** The free time of listed practitioners, as the search indexes it. */
    async outlook(
      handle: Db,
      practitionerIds: number[],
      now: Date,
    ): Promise<Map<number, PractitionerOutlook>> {
      const bookable = await practitioners.bookable(handle, practitionerIds)
      const ids = [...bookable.keys()]
      if (ids.length === 0) return new Map()
      const from = now.getTime()
      const range = { from: from - maxPauseMs, to: from + (horizonDays + 2) * day }
      const calendars = await store.readCalendars(handle, ids, range, now)
      const viewer = zoneOf(searchZone)
      return new Map(
        ids.map((id) => {
          const known = bookable.get(id)
          const { schedule, taken: busy } = calendars.get(id) ?? nothing
          const outlook = outlookOf({
            zone: zoneOf(known?.timezone ?? searchZone),
            schedule,
            busy: withPause(busy, known?.pauseMinutes ?? 0),
            durations: known ? durationsOf(known.services) : {},
            now: from,
            leadTimeMinutes: known?.leadTimeMinutes ?? 0,
            viewer,
            holdsEnd: busy.flatMap(({ holdExpiresAt }) => holdExpiresAt ?? []),
          })
          return [id, { ...outlook, services: known ? shortestServices(known.services) : {} }]
        }),
      )
    },

    /**
     * Returns the slot if the client could book the time now; undefined otherwise. The client's own holds for the
     * practitioner do not count, since a new hold releases them.
     */
    async slotAt(handle: Db, wanted: WantedTime): Promise<FreeSlot | undefined> {
      const bookable = (await practitioners.bookable(handle, [wanted.practitionerId])).get(
        wanted.practitionerId,
      )
      if (!bookable) return undefined
      const from = wanted.startsAt.getTime()
      const slots = await freeBetween(
        wanted.practitionerId,
        bookable,
        { from, to: from + 1, durations: { [wanted.appointmentType]: wanted.durationMinutes } },
        handle,
        wanted.clientId,
      )
      return slots.find((slot) => wanted.locationId == null || slot.locationId === wanted.locationId)
    },

    /**
     * Holds a time for a client until `expiresAt`. Releases expired holds in the way and the client's own holds that
     * this one replaces; the caller ends the appointments of the `released` ids.
     * @throws 422 `slot_not_offered`, 409 `slot_taken` or `client_busy`, 429 `too_many_holds`
     */
    async hold(
      tx: Tx,
      wanted: WantedTime & { expiresAt: Date },
    ): Promise<{ reservationId: string; slot: FreeSlot; released: string[] }> {
      const now = clock.now()
      await store.lockClient(tx, wanted.clientId)
      const { slot, pauseMinutes, isTooClose } = await offered(tx, wanted)
      const time = { startsAt: new Date(slot.startsAt), endsAt: new Date(slot.endsAt), pauseMinutes }
      const released = await clearWay(tx, wanted, time)
      if ((await store.countHolds(tx, wanted.clientId, now)) >= holdsPerClient) {
        throw fail(
          'too_many_holds',
          'You are already holding two other times. Please finish or release one of them first.',
          { retryAfter: 60 },
        )
      }
      if (isTooClose) throw slotTaken()
      const reservationId = random.uuid(now)
      const held = await store.insertReservation(tx, {
        id: reservationId,
        practitioner_id: wanted.practitionerId,
        client_id: wanted.clientId,
        startsAt: time.startsAt,
        endsAt: time.endsAt,
        pause_minutes: pauseMinutes,
        hold_expires_at: wanted.expiresAt,
        created_at: now,
      })
      if (!held) throw await refusal(tx, wanted, time)
      await events.announce(tx, 'availability.changed', { practitionerId: wanted.practitionerId })
      return { reservationId, slot, released }
    },

    /**
     * Reserves a practitioner for a client without checking the schedule. The reservation does not expire: the caller
     * keeps the deadline and releases it. Releases expired holds in the way; the caller ends the appointments of the
     * `released` ids. `taken`: a reservation of the practitioner is in the way; `client_busy`: one of the client.
     */
    async take(
      tx: Tx,
      { practitionerId, clientId, ...time }: Time & { practitionerId: number; clientId: string },
    ): Promise<{ outcome: { reservationId: string } | 'taken' | 'client_busy'; released: string[] }> {
      const now = clock.now()
      const released = await clearWay(tx, { practitionerId, clientId, keepsOwn: true }, time)
      const reservationId = random.uuid(now)
      const taken = await store.insertReservation(tx, {
        id: reservationId,
        practitioner_id: practitionerId,
        client_id: clientId,
        startsAt: time.startsAt,
        endsAt: time.endsAt,
        pause_minutes: time.pauseMinutes,
        hold_expires_at: null,
        created_at: now,
      })
      if (!taken) {
        const isTheirs = await store.isTaken(tx, practitionerId, time)
        return { outcome: isTheirs ? 'taken' : 'client_busy', released }
      }
      await events.announce(tx, 'availability.changed', { practitionerId })
      return { outcome: { reservationId }, released }
    },

    /** Shortens a reservation. The new time lies within the old one. */
    async narrow(
      tx: Tx,
      reservationId: string,
      practitionerId: number,
      time: { startsAt: Date; endsAt: Date },
    ): Promise<void> {
      await store.narrowReservation(tx, reservationId, time)
      await events.announce(tx, 'availability.changed', { practitionerId })
    },

    /** Serialises the reservations of one client until the transaction ends. */
    lockClient: (tx: Tx, clientId: string) => store.lockClient(tx, clientId),

    /** Turns a hold into a booking. Returns false if the hold has expired or was released. */
    async book(tx: Tx, reservationId: string): Promise<boolean> {
      return store.bookReservation(tx, reservationId, clock.now())
    },

    /** Returns false if the hold has expired or was released. */
    async extendHold(tx: Tx, reservationId: string, expiresAt: Date): Promise<boolean> {
      return store.setHoldExpiry(tx, reservationId, expiresAt, clock.now())
    },

    /**
     * Moves a booked time. @throws 422 `slot_not_offered`, 409 `slot_taken` or `client_busy`; or the exclusion
     * constraint's error, which `movedIntoTaken` recognises, if a concurrent request reserves the time.
     */
    async move(
      tx: Tx,
      reservationId: string,
      wanted: WantedTime,
    ): Promise<{ slot: FreeSlot; released: string[] }> {
      await store.lockClient(tx, wanted.clientId)
      const { slot, pauseMinutes, isTooClose } = await offered(tx, wanted, reservationId)
      if (isTooClose) throw slotTaken()
      const time = { startsAt: new Date(slot.startsAt), endsAt: new Date(slot.endsAt), pauseMinutes }
      const released = await clearWay(tx, wanted, time)
      await store.moveReservation(tx, reservationId, time)
      await events.announce(tx, 'availability.changed', { practitionerId: wanted.practitionerId })
      return { slot, released }
    },

    /** Releases a reservation, if it is still live. */
    async release(tx: Tx, reservationId: string): Promise<void> {
      const released = await store.release(tx, reservationId)
      if (released) {
        await events.announce(tx, 'availability.changed', { practitionerId: released.practitioner_id })
      }
    },

    /** The booked times of a practitioner in a range. Epoch milliseconds. */
    booked: store.readBooked,

    /**
     * Replaces the busy times of a practitioner's connected calendar, which blocks them from booking. Booked sessions
     * stay booked. Epoch milliseconds, in order and without overlaps.
     */
    async setBusyElsewhere(tx: Tx, practitionerId: number, busy: readonly Busy[]): Promise<void> {
      const before = await store.readBusyElsewhere(tx, practitionerId)
      if (isSame(before, busy)) return
      await store.replaceBusyElsewhere(tx, practitionerId, busy)
      await events.announce(tx, 'availability.changed', { practitionerId })
    },

    /** Deletes the released reservations of a client whose account is deleted, except the given ones. */
    deleteReleased: (tx: Tx, clientId: string, except: string[]) =>
      store.deleteReleased(tx, clientId, except),
  }

  async function freeBetween(
    practitionerId: number,
    bookable: Bookable,
    range: { from: number; to: number; durations: Partial<Record<AppointmentType, number>> },
    handle: Db = db,
    exceptHoldsOf?: string,
  ): Promise<FreeSlot[]> {
    const now = clock.now()
    const possible = bookableRange(now.getTime(), bookable.leadTimeMinutes)
    const from = Math.max(range.from, possible.from)
    const to = Math.min(range.to, possible.to)
    if (to <= from) return []
    const around = { from: from - maxPauseMs, to: to + day }
    const calendars = await store.readCalendars(handle, [practitionerId], around, now, exceptHoldsOf)
    const { schedule, taken } = calendars.get(practitionerId) ?? nothing
    return freeSlots({
      zone: zoneOf(bookable.timezone),
      schedule,
      busy: withPause(taken, bookable.pauseMinutes),
      from,
      to,
      durations: range.durations,
    })
  }

  /**
   * Finds the slot in the schedule, ignoring reservations. `isTooClose`: a session other than `own` lies within the
   * pause. The database constraint enforces the pause at the time of each booking; this check enforces the current one.
   */
  async function offered(tx: Tx, wanted: WantedTime, own?: string) {
    const { practitionerId, clientId, appointmentType, durationMinutes, startsAt, locationId } = wanted
    const rules = await practitioners.lockRules(tx, practitionerId)
    if (!rules) throw notOffered()
    const { timezone, leadTimeMinutes, pauseMinutes } = rules
    const now = clock.now()
    const from = startsAt.getTime()
    const possible = bookableRange(now.getTime(), leadTimeMinutes)
    if (from < possible.from || from >= possible.to) throw notOffered()
    const around = {
      from: from - pauseMinutes * minute,
      to: from + (durationMinutes + pauseMinutes) * minute,
    }
    const calendars = await store.readCalendars(tx, [practitionerId], around, now, clientId)
    const { schedule, taken } = calendars.get(practitionerId) ?? nothing
    const [slot] = freeSlots({
      zone: zoneOf(timezone),
      schedule,
      busy: [],
      from,
      to: from + 1,
      durations: { [appointmentType]: durationMinutes },
    })
    if (!slot || (locationId != null && slot.locationId !== locationId)) throw notOffered()
    taken.sort((a, b) => a.from - b.from)
    const timeOff = taken.filter((range) => range.reservationId === null)
    if (overlaps(timeOff, from, slot.endsAt)) throw slotTaken()
    const others = taken.filter((range) => range.reservationId !== null && range.reservationId !== own)
    return { slot, pauseMinutes, isTooClose: overlaps(withPause(others, pauseMinutes), from, slot.endsAt) }
  }

  async function clearWay(
    tx: Tx,
    {
      practitionerId,
      clientId,
      keepsOwn = false,
    }: Pick<WantedTime, 'practitionerId' | 'clientId'> & { keepsOwn?: boolean },
    time: Time,
  ): Promise<string[]> {
    const now = clock.now()
    const holds = await store.obstructingHolds(tx, { practitionerId, clientId, keepsOwn, ...time, now })
    for (const hold of holds) {
      await store.release(tx, hold.id)
      if (hold.practitioner_id !== practitionerId) {
        await events.announce(tx, 'availability.changed', { practitionerId: hold.practitioner_id })
      }
    }
    return holds.map((hold) => hold.id)
  }

  async function refusal(tx: Tx, { practitionerId }: WantedTime, time: Time) {
    return (await store.isTaken(tx, practitionerId, time)) ? slotTaken() : clientBusy()
  }
}

type Time = { startsAt: Date; endsAt: Date; pauseMinutes: number }

const isSame = (one: readonly Busy[], other: readonly Busy[]) =>
  one.length === other.length &&
  one.every(({ from, to }, index) => from === other[index]?.from && to === other[index].to)

const notOffered = () =>
  fail('slot_not_offered', 'This time is not offered. Please choose one of the free times.')

export const slotTaken = () =>
  fail('slot_taken', 'Someone else has just taken this time. Nothing was charged. Please choose another.')

export const clientBusy = () =>
  fail('client_busy', 'You have another session at this time. Please choose another time.')

/** Builds the error for a move that violated the exclusion constraint; undefined for any other error. */
export function movedIntoTaken(error: unknown) {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  if (code !== '23P01') return undefined
  return constraint === 'reservations_client_overlap' ? clientBusy() : slotTaken()
}
