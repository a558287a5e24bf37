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
  return server.change(async (db) => {
    for (const [id, minutes] of Object.entries(times)) {
      await sql`with moved as (
          update appointments set ends_at = date_trunc('minute', now()) + make_interval(mins => ${minutes}::int) + (ends_at - starts_at),
            starts_at = date_trunc('minute', now()) + make_interval(mins => ${minutes}::int),
            first_booked_at = least(first_booked_at, now() + make_interval(mins => ${minutes}::int) - interval '7 days')
          where id = ${id} returning reservation_id, starts_at, ends_at)
        update reservations r set during = tstzrange(m.starts_at, m.ends_at) from moved m
        where r.id = m.reservation_id`.execute(db)
    }
  })
}
