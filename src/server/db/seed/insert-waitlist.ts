import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { days, hours, later, minutes } from '../../clock.ts'
import type { Random } from '../../ids.ts'
import { zoneOf } from '../../modules/availability/zone.ts'
import { startedTurnEnd } from '../../modules/waitlist/turns.ts'
import type { Tx } from '../connection.ts'
import { emailOf, guestEmail, slotsOn } from './demo/history.ts'
import type { DemoPractitioner } from './demo/types.ts'
import { insertRows } from './insert-rows.ts'

const zone = 'Europe/London'

type Options = {
  now: Date
  random: Random
  /** Ids of accounts by email. */
  accounts: ReadonlyMap<string, string>
  /** Id of the first practitioner of the directory; the others count on. */
  firstId: number
}

/** Who is offered an hour of the first practitioner, who waits for her booked hours, and who for the full one. */
const offered = emailOf(['Miriam', 'Katz'])
const hopeful = [emailOf(['Callum', 'Reid']), emailOf(['Anjali', 'Desai']), emailOf(['Rosa', 'Whitfield'])]
const patient = [emailOf(['Dylan', 'Pryce']), guestEmail, emailOf(['Leon', 'Baptiste'])]

const weekdays = [1, 2, 3, 4, 5]
/** As the chips of the form have them, in minutes of the day. */
const evenings = { weekdays, from: hours(17) / minutes(1), to: hours(22) / minutes(1) }
const weekends = { weekdays: [6, 7], from: hours(8) / minutes(1), to: hours(22) / minutes(1) }

/**
 * Inserts places on waitlists: of the client who can sign in with a practitioner who is full, and of others with the first
 * practitioner. One of these is offered an hour that has come free; the rest wait for hours that are booked, so that
 * none of her free hours is held.
 */
export async function insertWaitlist(
  tx: Tx,
  practitioners: readonly DemoPractitioner[],
  { now, random, accounts, firstId }: Options,
): Promise<void> {
  const entryOf = (client: string, practitioner: number, joinedDaysAgo: number) => {
    const joinedAt = later(now, -days(joinedDaysAgo))
    return {
      id: random.uuid(joinedAt),
      client_id: accounts.get(client) ?? '',
      practitioner_id: firstId + practitioner,
      earliest: null as string | null,
      latest: null as string | null,
      lead_minutes: minutes(720) / minutes(1),
      timezone: zone,
      state: 'waiting' as 'waiting' | 'offered',
      joined_at: joinedAt,
      ends_at: later(joinedAt, days(60)),
      misses: 0,
    }
  }

  // A small directory may have none without hours.
  const full =
    practitioners.find(({ schedule }) => schedule.length === 0) ??
    practitioners.find(({ schedule }) => schedule.every(({ weekday, hour }) => weekday <= 5 && hour < 17))
  const [service] = full?.services ?? []
  if (full && service) {
    await insertRows(
      tx,
      'waitlist_entries',
      patient.map((client, index) => ({
        ...entryOf(client, full.index, 12 - 5 * index),
        service_id: service.serviceId,
        appointment_type: service.appointmentType,
        windows: [evenings, weekends],
      })),
    )
    await setWaiting(tx, firstId + full.index, patient.length)
  }

  const host = practitioners[0]
  const slot = host && (await freedHour(tx, host, firstId, now))
  if (!host || !slot) return
  const wanted = await bookedHours(tx, firstId, now)
  const exactly = (starts: readonly Date[]) => {
    const at = starts.map(local)
    return {
      windows: at.map(({ weekday, minute }) => ({ weekdays: [weekday], from: minute, to: minute + 60 })),
      earliest: at[0]?.day ?? null,
      latest: at.at(-1)?.day ?? null,
      service_id: slot.service.serviceId,
      appointment_type: slot.service.appointmentType,
    }
  }
  const first = {
    ...entryOf(offered, host.index, 20),
    ...exactly([slot.startsAt]),
    state: 'offered' as const,
  }
  const others =
    wanted.length === 0
      ? []
      : hopeful.map((client, index) => ({
          ...entryOf(client, host.index, 9 - 3 * index),
          ...exactly(wanted),
        }))
  await insertRows(tx, 'waitlist_entries', [first, ...others])
  await setWaiting(tx, firstId + host.index, 1 + others.length)
  await insertOffer(tx, { entry: first, slot, now, random })
}

type Slot = ReturnType<typeof slotsOn>[number]
type Offer = {
  entry: { id: string; client_id: string; practitioner_id: number }
  slot: Slot
  now: Date
  random: Random
}

/** The hour is held for the client of an entry, from now on. */
async function insertOffer(tx: Tx, { entry, slot, now, random }: Offer): Promise<void> {
  const { id: entry_id, client_id, practitioner_id } = entry
  const [id = '', reservation_id = '', appointment_id = ''] = [now, now, now].map((at) => random.uuid(at))
  const endsAt = later(slot.startsAt, minutes(slot.service.durationMinutes))
  const until = startedTurnEnd({ madeAt: now, startsAt: slot.startsAt }, now, zoneOf(zone))
  await insertRows(tx, 'reservations', [
    {
      id: reservation_id,
      practitioner_id,
      client_id,
      during: `[${slot.startsAt.toISOString()},${endsAt.toISOString()})`,
      state: 'held',
      // As `guarded_until` in the database has it.
      hold_expires_at: later(until, minutes(2)),
      origin: 'offer',
      created_at: now,
      pause_minutes: 0,
    },
  ])
  await insertRows(tx, 'appointments', [
    {
      id: appointment_id,
      client_id,
      practitioner_id,
      booking_type: 'schedule',
      state: 'pending',
      service_id: slot.service.serviceId,
      appointment_type: slot.service.appointmentType,
      reservation_id,
      offer_id: id,
      starts_at: slot.startsAt,
      ends_at: endsAt,
      fee_pence: slot.service.feePence,
      discount_pence: 0,
      hold_extended: false,
      sequence: 0,
      created_at: now,
      client_timezone: zone,
    },
  ])
  await insertRows(tx, 'waitlist_offers', [
    {
      id,
      entry_id,
      practitioner_id,
      kind: 'turn',
      appointment_id,
      reservation_id,
      starts_at: slot.startsAt,
      freed_at: now,
      round: 1,
      by_hand: false,
      made_at: now,
      started_at: now,
      expires_at: until,
      state: 'open',
    },
  ])
}

/** The first free online hour of a practitioner that starts more than three days from now. */
async function freedHour(
  tx: Tx,
  person: DemoPractitioner,
  firstId: number,
  now: Date,
): Promise<Slot | undefined> {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate()
  const taken = await tx
    .selectFrom('reservations')
    .select([sql<Date>`lower(during)`.as('from'), sql<Date>`upper(during)`.as('to')])
    .where('practitioner_id', '=', firstId + person.index)
    .where('state', '<>', 'released')
    .execute()
  for (let offset = 3; offset <= 13; offset++) {
    for (const slot of slotsOn(person, today.add({ days: offset }))) {
      const endsAt = later(slot.startsAt, hours(1))
      const isFree = taken.every(({ from, to }) => to <= slot.startsAt || endsAt <= from)
      const isAhead = slot.startsAt > later(now, hours(73))
      if (isFree && isAhead && slot.service.appointmentType === 'online') return slot
    }
  }
  return undefined
}

/** Two booked hours of the first practitioner, on different days of the coming six. */
async function bookedHours(tx: Tx, practitionerId: number, now: Date): Promise<Date[]> {
  const rows = await tx
    .selectFrom('appointments')
    .select('starts_at')
    .where('practitioner_id', '=', practitionerId)
    .where('state', '=', 'confirmed')
    .where('starts_at', '>', later(now, days(1)))
    .where('starts_at', '<', later(now, days(6)))
    .orderBy('starts_at')
    .execute()
  const starts = rows.flatMap(({ starts_at }) => starts_at ?? [])
  const [one] = starts
  const other = one && starts.find((start) => local(start).day !== local(one).day)
  return [one, other].filter((start) => start !== undefined)
}

/** Day, weekday and minute of the day in London. */
function local(instant: Date): { day: string; weekday: number; minute: number } {
  const at = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone)
  return { day: at.toPlainDate().toString(), weekday: at.dayOfWeek, minute: at.hour * 60 + at.minute }
}

/** How many wait for a practitioner or have an offer, as cards show it. */
async function setWaiting(tx: Tx, practitionerId: number, waiting: number): Promise<void> {
  await tx.updateTable('practitioners').set({ waiting }).where('id', '=', practitionerId).execute()
}
