import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { isInTheWay } from '../../db/pauses.ts'
import { prepare } from '../../db/prepared.ts'
import type { Busy } from './availability.rules.ts'
import { type Range, range, rangeOf, type Wanted } from './availability.store.ts'

export type Obstacles = { timeOff: boolean; taken: boolean; own: boolean; elsewhere: boolean }

/**
 * What is in the way of a session: time off, live reservations of either person but for those of `except`, times of a
 * connected calendar.
 */
export async function findObstacles(
  db: Db,
  wanted: Wanted & { practitionerId: number; clientId: string; now: Date; except: readonly string[] },
): Promise<Obstacles> {
  const [row] = await selectObstacles(db, wanted)
  if (!row) throw new Error('What is in the way is one row.')
  return row
}

const selectObstacles = prepare(
  (at: Wanted & { practitionerId: number; clientId: string; now: Date; except: readonly string[] }) => {
    const id = sql`${at.practitionerId}::int`
    const during = range(at.startsAt, at.endsAt)
    const isLive = sql`state <> 'released' and (hold_expires_at is null or hold_expires_at > ${at.now})
      and id <> all (${at.except}::uuid[])`
    const isNear = isInTheWay(during, sql`${at.pauseMinutes}::int`)
    return sql<Obstacles>`select
      exists (select from time_off where practitioner_id = ${id} and during && ${during}) as "timeOff",
      exists (select from reservations where practitioner_id = ${id} and ${isNear} and ${isLive}) as taken,
      exists (select from reservations where client_id = ${at.clientId}::uuid and practitioner_id <> ${id}
        and during && ${during} and ${isLive}) as own,
      exists (select from busy_elsewhere where practitioner_id = ${id} and during && ${during}) as elsewhere`
  },
)

/** Books those of some times that nothing is in the way of. A time that a concurrent request reserves is left out. */
export const bookClear = prepare(
  (at: {
    ids: string[]
    starts: Date[]
    practitionerId: number
    clientId: string
    durationMinutes: number
    pauseMinutes: number
    now: Date
  }) => {
    const practitioner = sql`${at.practitionerId}::int`
    const client = sql`${at.clientId}::uuid`
    const isLive = sql`state <> 'released' and (hold_expires_at is null or hold_expires_at > ${at.now}::timestamptz)`
    return sql<{ id: string; starts_at: Date }>`
      insert into reservations (id, practitioner_id, client_id, during, pause_minutes, state, origin, created_at)
      select id, ${practitioner}, ${client}, span, ${at.pauseMinutes}::int, 'booked', 'client', ${at.now}::timestamptz
      from unnest(${at.ids}::uuid[], ${at.starts}::timestamptz[]) wanted (id, starts_at),
        tstzrange(starts_at, starts_at + make_interval(mins => ${at.durationMinutes}::int)) span
      where not exists (select from time_off where practitioner_id = ${practitioner} and during && span)
        and not exists (select from busy_elsewhere where practitioner_id = ${practitioner} and during && span)
        and not exists (select from reservations where practitioner_id = ${practitioner}
          and ${isInTheWay(sql`span`, sql`${at.pauseMinutes}::int`)} and ${isLive})
        and not exists (select from reservations where client_id = ${client} and during && span and ${isLive})
      order by starts_at
      on conflict do nothing
      returning id, lower(during) as starts_at`
  },
)

/** The live reservations of a client in a range, without pauses. */
export async function readClientsTimes(db: Db, clientId: string, during: Range, now: Date): Promise<Busy[]> {
  const { rows } = await sql<{ starts: Date; ends: Date }>`
    select lower(during) as starts, upper(during) as ends from reservations
    where client_id = ${clientId}::uuid and state <> 'released' and (hold_expires_at is null or hold_expires_at > ${now})
      and during && ${rangeOf(during)}
    order by lower(during)`.execute(db)
  return rows.map(({ starts, ends }) => ({ from: starts.getTime(), to: ends.getTime() }))
}
