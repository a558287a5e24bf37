import type { APIRequestContext } from '@playwright/test'
import { sql } from 'kysely'
import { bookByApi, offerOfPractitioner, type Offer } from './booking.ts'
import type { OwnServer } from './own-server.ts'
import { type Account, register } from './people.ts'

export type Booked = { client: Account; id: string; offer: Offer }

/** Clients of their own who have booked a session each with a practitioner, soonest first. */
export async function bookedClients(
  request: APIRequestContext,
  practitionerId: number,
  names: readonly string[],
): Promise<Booked[]> {
  const offer = await offerOfPractitioner(request, practitionerId)
  const booked: Booked[] = []
  for (const [index, name] of names.entries()) {
    const client = await register(request, name)
    // Every other time: neighbours may overlap where a session is longer than an hour.
    const { session_id: id } = await bookByApi(request, client, offer, offer.times[index * 3] ?? '')
    booked.push({ client, id, offer })
  }
  return booked
}

/** Makes sessions begin so many minutes from now (or ago, where negative). */
export function shift(server: OwnServer, times: Record<string, number>): Promise<void> {
  const minute = Math.floor(Date.now() / 60_000)
  return moveSessions(
    server,
    Object.fromEntries(
      Object.entries(times).map(([id, minutes]) => [id, new Date((minute + minutes) * 60_000)]),
    ),
  )
}

/**
 * Makes sessions begin at other instants. The demo's sessions that are in their way, which depends on the day and its
 * hour, go some years further into the past or the future.
 */
export function moveSessions(server: OwnServer, instants: Record<string, Date>): Promise<void> {
  return server.change(async (db) => {
    for (const [id, instant] of Object.entries(instants)) {
      const starts = sql`${instant.toISOString()}::timestamptz`
      await sql`with others as (
          update reservations o
          set during = tstzrange(lower(o.during) + p.years, upper(o.during) + p.years)
          from appointments a, reservations r, (values (interval '-3 years', true), (interval '3 years', false)) p (years, is_past)
          where a.id = ${id} and r.id = a.reservation_id and o.practitioner_id = r.practitioner_id
            and o.state <> 'released' and o.during && tstzrange(${starts}, ${starts} + (a.ends_at - a.starts_at))
            and o.id not in (select reservation_id from appointments where id = any(${Object.keys(instants)}::uuid[]))
            and p.is_past = (lower(o.during) < now())
          returning o.id, lower(o.during) as starts_at, upper(o.during) as ends_at)
        update appointments a set starts_at = o.starts_at, ends_at = o.ends_at from others o
        where a.reservation_id = o.id`.execute(db)
      await sql`with moved as (
          update appointments set ends_at = ${starts} + (ends_at - starts_at), starts_at = ${starts},
            first_booked_at = least(first_booked_at, ${starts} - interval '7 days')
          where id = ${id} returning reservation_id, starts_at, ends_at)
        update reservations r set during = tstzrange(m.starts_at, m.ends_at) from moved m
        where r.id = m.reservation_id`.execute(db)
    }
  })
}
