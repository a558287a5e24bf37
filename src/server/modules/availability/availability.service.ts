import type { z } from 'zod'
import type { AvailableSessions, SlotQuery } from '#contract/availability/availability.ts'
import type { AppointmentType } from '#contract/common.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { together, withCommit } from '../../db/transaction.ts'
import { dayNumber } from '../../clock.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { createAgreedTimes, type WantedTime } from './agreed-times.ts'
import { createBusyElsewhere } from './busy-elsewhere.ts'
import { createFreeTimes } from './free-times.ts'
import { createHeldTimes } from './held-times.ts'
import {
  type BookableService,
  bookableRange,
  durationsOf,
  type FreeSlot,
  freeSlots,
  horizonDays,
  maxPauseMs,
  offeredSlot,
  outlookOf,
  type PractitionerOutlook,
  shortestServices,
  withPause,
} from './availability.rules.ts'
import type { Bookable, BookingRules, Practitioners } from '../practitioners/practitioners.service.ts'
import * as store from './availability.store.ts'
import { clientBusy, movedIntoTaken, notOffered, refusalOf, slotTaken, tooManyHolds } from './refusals.ts'
import { instantText, localDay, localText, startOfDay, zoneOf } from './zone.ts'

// For later modules.
export { localDay, startOfDay, zoneOf as clocksOf }

type Dependencies = Pick<Deps, 'db' | 'clock' | 'random' | 'events'> & {
  practitioners: Pick<Practitioners, 'bookable' | 'askOffering' | 'lockRules' | 'askBookable'>
}

/** How many unpaid holds a client may have at a time. */
export const holdsPerClient = 2

/** The zone of the days that the search filters by. */
const searchZone = 'Europe/London'
const day = 86_400_000
const minute = 60_000
const maxSessionMs = 240 * minute
const nothing: store.Calendar = { schedule: [], taken: [] }

export type Availability = ReturnType<typeof createAvailability>

/** Free times of practitioners, and the reservations that block them. */
export function createAvailability({ db, clock, random, events, practitioners }: Dependencies) {
  const agreed = createAgreedTimes({ clock, random, events, practitioners })
  return {
    obstacleTo: agreed.obstacleTo,
    clientsTimes: agreed.clientsTimes,
    takeClear: agreed.takeClear,
    nearestFree: agreed.nearestFree,
    ...createFreeTimes({ clock, practitioners }),
    ...createBusyElsewhere({ events }),
    ...createHeldTimes({ clock }),

    /** Free starts of a listed practitioner over some days of the viewer's zone. @throws 404 */
    async nextSessions(practitionerId: number, query: z.infer<typeof SlotQuery>): Promise<AvailableSessions> {
      const viewer = zoneOf(query.timezone ?? 'Europe/London')
      const now = clock.now().getTime()
      const firstDay = query.from ? dayNumber(query.from) : localDay(viewer, now)
      const found = await freeBetween(practitionerId, {
        from: startOfDay(viewer, firstDay),
        to: startOfDay(viewer, firstDay + (query.days ?? 1)),
        durationsOf: (services) => {
          const { service_id, appointment_type, duration_minutes: length } = query
          // Whether or not it is still offered.
          if (length && appointment_type && service_id === undefined) return { [appointment_type]: length }
          const long = services.map((each) => ({
            ...each,
            duration_minutes: length ?? each.duration_minutes,
          }))
          return durationsOf(long, service_id, appointment_type)
        },
      })
      if (!found) throw notFound('This practitioner')
      const { slots, leadTimeMs } = found
      const [first] = slots
      return {
        // A start that is free online and face to face is one free time.
        free_datetime: [...new Set(slots.map((slot) => localText(viewer, slot.startsAt)))],
        slots: slots.map((slot) => ({
          starts_at: instantText(slot.startsAt),
          ends_at: instantText(slot.endsAt),
          appointment_type: slot.appointmentType,
          location_id: slot.locationId,
        })),
        fresh_until: first ? new Date(first.startsAt - leadTimeMs + 1).toISOString() : null,
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
     * practitioner do not count, since a new hold releases them, nor does the reservation that would be moved.
     */
    async slotAt(
      handle: Db,
      wanted: WantedTime & { ownReservationId?: string | undefined },
    ): Promise<FreeSlot | undefined> {
      const from = wanted.startsAt.getTime()
      const durations = { [wanted.appointmentType]: wanted.durationMinutes }
      const found = await freeBetween(
        wanted.practitionerId,
        { from, to: from + 1, durationsOf: () => durations },
        handle,
        { holdsOf: wanted.clientId, reservationId: wanted.ownReservationId },
      )
      return found?.slots.find((slot) => wanted.locationId == null || slot.locationId === wanted.locationId)
    },

    /**
     * Locks a client and the rules of a practitioner, and reads what else decides whether the client may hold a time, all
     * in one trip. Each is read once the locks before it are held. @throws 404 practitioner
     */
    async beginHold(tx: Tx, wanted: Pick<WantedTime, 'practitionerId' | 'clientId' | 'startsAt'>) {
      const { practitionerId, clientId, startsAt } = wanted
      const from = startsAt.getTime()
      const around = { from: from - maxPauseMs, to: from + maxSessionMs + maxPauseMs }
      const [[client], practitioner, facts] = await together(
        tx,
        store.lockClient.of({ clientId }),
        practitioners.askBookable(practitionerId),
        store.askHoldFacts({ practitionerId, clientId }, around, clock.now()),
      )
      if (!practitioner) throw notFound('This practitioner')
      return { practitioner, facts, referredBy: client?.referred_by ?? null }
    },

    /**
     * Holds a time for a client until `expiresAt`, by what `beginHold` has read. Releases expired holds in the way and the
     * client's own holds that this one replaces; the caller ends the appointments of the `released` ids. The time is
     * reserved at once or with the commit of the transaction, whose failure `refusalOf` explains.
     * @throws 422 `slot_not_offered`, 409 `slot_taken` or `client_busy`, 429 `too_many_holds`
     */
    async hold(
      tx: Tx,
      wanted: WantedTime & { expiresAt: Date },
      { practitioner, facts }: { practitioner: Bookable; facts: store.HoldFacts },
      when: 'at once' | 'with the commit',
    ): Promise<{ reservationId: string; slot: FreeSlot; released: string[] }> {
      const now = clock.now()
      const { slot, pauseMinutes, isTooClose } = judge(wanted, practitioner, facts)
      const time = { startsAt: new Date(slot.startsAt), endsAt: new Date(slot.endsAt), pauseMinutes }
      const released = facts.mayRelease ? await clearWay(tx, wanted, time) : []
      if (facts.heldByClient >= holdsPerClient) throw tooManyHolds()
      if (isTooClose) throw slotTaken()
      const reservationId = random.uuid(now)
      const { practitionerId, clientId, expiresAt } = wanted
      const reservation = { id: reservationId, practitionerId, clientId, ...time, expiresAt, now }
      if (when === 'with the commit') withCommit(tx, store.holdTime.of(reservation))
      else
        await store.holdTime(tx, reservation).catch((error: unknown) => {
          throw refusalOf(error) ?? error
        })
      await events.announce(tx, 'availability.changed', {
        practitionerId,
        freesNothing: released.length === 0,
      })
      return { reservationId, slot, released }
    },

    /**
     * Reserves a practitioner for a client without checking the schedule. With `offeredUntil` the reservation is the hold
     * of an offer and ends by itself; without it the caller releases it. Releases expired holds in the way; the caller ends
     * the appointments of the `released` ids. `taken`: a reservation of the practitioner is in the way; `client_busy`: one
     * of the client.
     */
    async take(
      tx: Tx,
      {
        practitionerId,
        clientId,
        offeredUntil,
        ...time
      }: Time & { practitionerId: number; clientId: string; offeredUntil?: Date },
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
        deadline: offeredUntil ?? null,
        origin: offeredUntil ? 'offer' : 'client',
        created_at: now,
      })
      if (!taken) {
        const isTheirs = await store.isTaken(tx, practitionerId, time)
        return { outcome: isTheirs ? 'taken' : 'client_busy', released }
      }
      await events.announce(tx, 'availability.changed', {
        practitionerId,
        freesNothing: released.length === 0,
      })
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
    async lockClient(tx: Tx, clientId: string): Promise<void> {
      await store.lockClient(tx, { clientId })
    },

    /**
     * Moves a booked time; `agreed` to one that the schedule need not offer.
     * @throws 422 `slot_not_offered`, 409 `slot_taken` or `client_busy`; or the exclusion constraint's error, which
     * `movedIntoTaken` recognises, if a concurrent request reserves the time.
     */
    async move(
      tx: Tx,
      reservationId: string,
      wanted: WantedTime,
      how: 'offered' | 'agreed' = 'offered',
    ): Promise<{ slot: FreeSlot; released: string[] }> {
      await store.lockClient(tx, { clientId: wanted.clientId })
      const judged = how === 'agreed' ? agreed.free : offered
      const { slot, pauseMinutes, isTooClose } = await judged(tx, wanted, reservationId)
      if (isTooClose) throw slotTaken()
      const time = { startsAt: new Date(slot.startsAt), endsAt: new Date(slot.endsAt), pauseMinutes }
      const released = await clearWay(tx, wanted, time)
      const freed = await store.moveReservation(tx, reservationId, time)
      await events.announce(tx, 'availability.changed', { practitionerId: wanted.practitionerId, freed })
      return { slot, released }
    },

    /** Releases a reservation, if it is still live. */
    async release(tx: Tx, reservationId: string): Promise<void> {
      const released = await store.release(tx, reservationId)
      if (released) {
        const { practitioner_id: practitionerId, starts_at: from, ends_at: to } = released
        await events.announce(tx, 'availability.changed', { practitionerId, freed: { from, to } })
      }
    },

    /** The booked times of a practitioner in a range. Epoch milliseconds. */
    booked: store.readBooked,

    clientBusy,
    movedIntoTaken,
    refusalOf,
    slotTaken,

    /** Deletes the released reservations of a client whose account is deleted, except the given ones. */
    deleteReleased: store.deleteReleased,
  }

  /** Free starts of a practitioner from `from` to before `to`, in one trip. Undefined unless listed. */
  async function freeBetween(
    practitionerId: number,
    wanted: store.Range & {
      durationsOf(services: readonly BookableService[]): Partial<Record<AppointmentType, number>>
    },
    handle: Db = db,
    except: { holdsOf: string | null; reservationId?: string | undefined } = { holdsOf: null },
  ): Promise<{ slots: FreeSlot[]; leadTimeMs: number } | undefined> {
    const now = clock.now()
    const within = (leadTimeMinutes: number) => {
      const possible = bookableRange(now.getTime(), leadTimeMinutes)
      const from = Math.max(wanted.from, possible.from)
      return { from, to: Math.max(from, Math.min(wanted.to, possible.to)) }
    }
    // Read before the lead time is known, which only shortens it.
    const widest = within(0)
    const around = { from: widest.from - maxPauseMs, to: widest.to + day }
    const [bookable, { schedule, taken }] = await together(
      handle,
      practitioners.askOffering(practitionerId),
      store.askCalendar(practitionerId, around, now, except.holdsOf),
    )
    if (!bookable) return undefined
    const own = except.reservationId
    const others = own === undefined ? taken : taken.filter(({ reservationId }) => reservationId !== own)
    const slots = freeSlots({
      zone: zoneOf(bookable.timezone),
      schedule,
      busy: withPause(others, bookable.pauseMinutes),
      ...within(bookable.leadTimeMinutes),
      durations: wanted.durationsOf(bookable.services),
    })
    return { slots, leadTimeMs: bookableRange(now.getTime(), bookable.leadTimeMinutes).from - now.getTime() }
  }

  async function offered(tx: Tx, wanted: WantedTime, own?: string) {
    const { practitionerId, clientId, durationMinutes, startsAt } = wanted
    const rules = await practitioners.lockRules(tx, practitionerId)
    if (!rules) throw notOffered()
    const from = startsAt.getTime()
    const around = {
      from: from - rules.pauseMinutes * minute,
      to: from + (durationMinutes + rules.pauseMinutes) * minute,
    }
    const calendars = await store.readCalendars(tx, [practitionerId], around, clock.now(), clientId)
    return judge(wanted, rules, calendars.get(practitionerId) ?? nothing, own)
  }

  /** The slot of a wanted time, ignoring reservations. @throws 422 `slot_not_offered`, 409 `slot_taken` by time off */
  function judge(wanted: WantedTime, rules: BookingRules, { schedule, taken }: store.Calendar, own?: string) {
    const { timezone, leadTimeMinutes, pauseMinutes } = rules
    const found = offeredSlot({
      zone: zoneOf(timezone),
      schedule,
      taken,
      pauseMinutes,
      range: bookableRange(clock.now().getTime(), leadTimeMinutes),
      wanted: { ...wanted, startsAt: wanted.startsAt.getTime() },
      own,
    })
    if (found === 'not offered') throw notOffered()
    if (found === 'away') throw slotTaken()
    return { ...found, pauseMinutes }
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
}

type Time = { startsAt: Date; endsAt: Date; pauseMinutes: number }
