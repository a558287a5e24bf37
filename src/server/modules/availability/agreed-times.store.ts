import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { prepare } from '../../db/prepared.ts'
import type { Busy } from './availability.rules.ts'
import { type Range, range, type Wanted } from './availability.store.ts'

export type Obstacles = { timeOff: boolean; taken: boolean; own: boolean; elsewhere: boolean }

/** What is in the way of a session: time off, live reservations of either person, times of a connected calendar. */
export async function findObstacles(
  db: Db,
  wanted: Wanted & { practitionerId: number; clientId: string; now: Date; exceptReservation?: string | null },
): Promise<Obstacles> {
  const [row] = await selectObstacles(db, { exceptReservation: null, ...wanted })
  if (!row) throw new Error('What is in the way is one row.')
  return row
}

const selectObstacles = prepare(
  (
    at: Wanted & { practitionerId: number; clientId: string; now: Date; exceptReservation: string | null },
  ) => {
    const id = sql`${at.practitionerId}::int`
    const during = range(at.startsAt, at.endsAt)
    const isLive = sql`state <> 'released' and (hold_expires_at is null or hold_expires_at > ${at.now})
      and id is distinct from ${at.exceptReservation}::uuid`
    const blocked = sql`with_pause(${during}, ${at.pauseMinutes}::int)`
    return sql<Obstacles>`select
      exists (select from time_off where practitioner_id = ${id} and during && ${during}) as "timeOff",
      exists (select from reservations where practitioner_id = ${id} and blocked && ${blocked} and ${isLive}) as taken,
      exists (select from reservations where client_id = ${at.clientId}::uuid and practitioner_id <> ${id}
        and during && ${during} and ${isLive}) as own,
      exists (select from busy_elsewhere where practitioner_id = ${id} and during && ${during}) as elsewhere`
  },
)

/** The live reservations of a client in a range, without pauses. */
export async function readClientsTimes(
  db: Db,
  clientId: string,
  { from, to }: Range,
  now: Date,
): Promise<Busy[]> {
  const { rows } = await sql<{ starts: Date; ends: Date }>`
    select lower(during) as starts, upper(during) as ends from reservations
    where client_id = ${clientId}::uuid and state <> 'released' and (hold_expires_at is null or hold_expires_at > ${now})
      and during && ${range(new Date(from), new Date(to))}
    order by lower(during)`.execute(db)
  return rows.map(({ starts, ends }) => ({ from: starts.getTime(), to: ends.getTime() }))
}
