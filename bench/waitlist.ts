import { sql } from 'kysely'
import { inMilliseconds, type Line } from './line.ts'
import type { Stage } from './stage.ts'
import { median } from './statistics.ts'

const waiting = 500
const targetMs = 20
/** Enough that the median is of connections that have planned their statements. */
const leastRounds = 15

/** Matching one freed hour of a practitioner for whom 500 clients wait, all of whom it suits. */
export async function measureWaitlist(stage: Stage): Promise<Line[]> {
  const { inside } = stage
  const { db, queue, services, capture } = inside
  await queue.start({ work: false, install: false })
  const { rows: listed } = await sql<{ id: number; service_id: number }>`
    select s.practitioner_id as id, min(x.service_id) as service_id from practitioner_search s
      join practitioner_services x on x.practitioner_id = s.practitioner_id and x.appointment_type = 'online'
    where s.next_free_online is not null group by s.practitioner_id order by 1 limit 1`.execute(db)
  const [practitioner] = listed
  if (!practitioner) throw new Error('No practitioner is free online.')
  await insertWaiting(stage, practitioner)
  const runs: { took: number; own: number }[] = []
  let statements = 0
  for (let round = 0; round < Math.max(leastRounds, stage.rounds); round++) {
    await freeOneHour(stage, practitioner.id)
    const sent = await capture.during(async () => {
      const began = performance.now()
      const before = process.cpuUsage()
      await services.waitlistMatching.run(practitioner.id, { everything: true })
      const { user, system } = process.cpuUsage(before)
      runs.push({ took: performance.now() - began, own: (user + system) / 1000 })
    })
    statements = sent.length
  }
  const { rows: offered } = await sql<{ made: number }>`
    select count(*)::int as made from waitlist_offers where practitioner_id = ${practitioner.id}`.execute(db)
  await queue.stop()
  // The first run compiles the code and plans the statements.
  const [first, ...warm] = runs
  const slowest = warm.toSorted((one, other) => other.took - one.took)[0]
  if (!first || !slowest) throw new Error('Nothing was matched.')
  const usual = median(runs.map(({ took }) => took))
  const own = median(runs.map((run) => run.own))
  return [
    {
      figure: `matching a freed hour among ${waiting} who wait (${offered[0]?.made} offers, ${statements} statements each): median, slowest of the warm runs, the first`,
      measured: [usual, slowest.took, first.took].map(inMilliseconds).join(', '),
      baseline: `of this the process itself: ${[own, slowest.own, first.own].map(inMilliseconds).join(', ')}`,
      ratio: '–',
      target: `at most ${targetMs} ms`,
      met: usual <= targetMs,
    },
  ]
}

/** Takes one start, at least four days ahead, out of the snapshot, as if it had just come free. */
async function freeOneHour({ inside: { db, services } }: Stage, id: number): Promise<void> {
  const times = await services.availability.freeTimes(db, id)
  const inFourDays = Date.now() + 4 * 86_400_000
  const starts = [...new Set(times?.free().map(({ startsAt }) => startsAt / 60_000))]
  const freed = times
    ?.free()
    .find(({ startsAt, appointmentType }) => appointmentType === 'online' && startsAt > inFourDays)
  const known = starts.filter((start) => start !== (freed?.startsAt ?? 0) / 60_000)
  await sql`insert into waitlist_snapshots (practitioner_id, digest, starts, taken_at)
    values (${id}, '', ${known}::int[], now())
    on conflict (practitioner_id) do update set starts = excluded.starts, openings = null`.execute(db)
}

/** Entries of new clients that every start suits. */
async function insertWaiting(
  { inside: { db } }: Stage,
  { id, service_id }: { id: number; service_id: number },
): Promise<void> {
  const windows = JSON.stringify([{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: 0, to: 1440 }])
  await sql`
    with made as (
      insert into accounts (id, role, email, first_name, last_name, created_at)
      select gen_random_uuid(), 'client', 'waits' || number || '@bench.test', 'Alex', 'Waits', now()
      from generate_series(1, ${waiting}::int) number returning id
    )
    insert into clients (account_id, referral_code) select id, 'W' || left(replace(id::text, '-', ''), 12) from made`.execute(
    db,
  )
  await sql`
    insert into waitlist_entries
      (id, client_id, practitioner_id, service_id, appointment_type, windows, lead_minutes, timezone, joined_at, ends_at)
    select gen_random_uuid(), a.id, ${id}, ${service_id}, 'online', ${windows}::jsonb, 60, 'Europe/London',
      now() - random() * interval '30 days', now() + interval '30 days'
    from accounts a where a.email like 'waits%@bench.test'`.execute(db)
}
