import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { isInTheWay } from '../../db/pauses.ts'

const switchedOn = (now: Date) => sql<boolean>`coalesce(p.available_now_until > ${now}, false)`

const isListed = (now: Date) => sql<boolean>`
  p.state = 'approved' and p.subscribed_until > ${now} and (p.vetted_until is null or p.vetted_until > ${now})`

/** Whether `p` has no time off now and no busy time in their own calendar in the next 15 minutes. */
const isThere = (now: Date) => sql<boolean>`
  not exists (select from time_off o where o.practitioner_id = p.id and o.during @> ${now}::timestamptz)
  and not exists (select from busy_elsewhere b where b.practitioner_id = p.id
    and b.during && tstzrange(${now}::timestamptz, ${now}::timestamptz + interval '15 minutes'))`

const isScheduled = (now: Date) => sql<boolean>`
  exists (select from weekly_hours h where h.practitioner_id = p.id and h.appointment_type = 'online'
    and h.weekday = extract(isodow from ${now}::timestamptz at time zone p.timezone)::int
    and h.hour = extract(hour from ${now}::timestamptz at time zone p.timezone)::int)
  and ${isThere(now)}`

/** Whether a practitioner `p` is listed, and available now by their own switch or scheduled online at this moment. */
const isAvailable = (now: Date) => sql<boolean>`
  ${isListed(now)} and (${switchedOn(now)} or (${isScheduled(now)}))`

/** Checks whether a claimed practitioner is still available. */
export async function isStillAvailable(db: Db, practitionerId: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from practitioners p where p.id = ${practitionerId} and ${isAvailable(now)}`.execute(db)
  return rows.length > 0
}

type Wanted = {
  issueId: number
  now: Date
  /** The practitioner must be free from now until then. */
  until: Date
  /** The search whose asked practitioners are left out. */
  dispatchId: string | null
  /** Comes first if free. */
  preferredId: number | null
}

/** Enough turns to find a scheduled practitioner on a usual day, and few enough to scan in milliseconds. */
const turnsLookedThrough = 2000

/**
 * Lists practitioners who are available, treat the issue, and are free in the window of a claim. Those with the
 * switch on come first. Within each group, the practitioner not asked for the longest time comes first.
 *
 * Three queries run in turn, each only if those before it found too few. None of them scans all practitioners.
 */
export async function listCandidates(
  db: Db,
  wanted: Wanted,
  limit: number,
  turns = turnsLookedThrough,
): Promise<number[]> {
  const found = await listSwitchedOn(db, wanted, limit)
  if (found.length < limit) found.push(...(await listNextInTurn(db, wanted, limit - found.length, turns)))
  if (found.length < limit) {
    for (const id of await listByTheHour(db, wanted, limit)) {
      if (found.length < limit && !found.includes(id)) found.push(id)
    }
  }
  return found
}

const treats = ({ issueId }: Wanted) => sql<boolean>`
  exists (select from practitioner_issues i where i.practitioner_id = p.id and i.issue_id = ${issueId})`

/** As `treats`, but looked up per `p`: otherwise the database reads all practitioners of the issue to find a few. */
const treatsEach = ({ issueId }: Wanted) => sql<boolean>`
  (select true from practitioner_issues i where i.practitioner_id = p.id and i.issue_id = ${issueId})`

/** Whether `p` is free in the window, has no open request, which may outlast its own window, and was not asked in this search. */
const isFree = ({ now, until, dispatchId }: Wanted) => sql<boolean>`
  not exists (select from reservations r where r.practitioner_id = p.id and r.state <> 'released'
    and (r.hold_expires_at is null or r.hold_expires_at > ${now})
    and ${isInTheWay(sql`tstzrange(${now}::timestamptz, ${until}::timestamptz)`, sql`p.pause_minutes`)})
  and not exists (select from help_offers o where o.practitioner_id = p.id and o.state = 'open')
  and not exists (select from help_offers o
    where o.appointment_id = ${dispatchId}::uuid and o.practitioner_id = p.id)`

/** The preferred practitioner and those with the switch on: never many at a time. */
async function listSwitchedOn(db: Db, wanted: Wanted, limit: number): Promise<number[]> {
  const { now, preferredId } = wanted
  const { rows } = await sql<{ id: number }>`
    select p.id from practitioners p join help_turns t on t.practitioner_id = p.id
    where (p.available_now_until > ${now} or p.id = ${preferredId}::int)
      and ${isAvailable(now)} and ${treatsEach(wanted)} and ${isFree(wanted)}
    order by coalesce(p.id = ${preferredId}::int, false) desc, ${switchedOn(now)} desc, t.asked_at, p.id
    limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

const isOther = ({ now, preferredId }: Wanted) => sql<boolean>`
  not ${switchedOn(now)} and p.id is distinct from ${preferredId}::int`

/** Practitioners scheduled now among the first in turn: quick while many are at work. */
async function listNextInTurn(db: Db, wanted: Wanted, limit: number, turns: number): Promise<number[]> {
  const { now } = wanted
  const { rows } = await sql<{ id: number }>`
    select p.id
    from (select practitioner_id, asked_at from help_turns order by asked_at, practitioner_id
      limit ${turns}) t
    join practitioners p on p.id = t.practitioner_id
    where ${isOther(wanted)} and ${isListed(now)} and ${isScheduled(now)} and ${treatsEach(wanted)}
      and ${isFree(wanted)}
    order by t.asked_at, t.practitioner_id
    limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Practitioners scheduled now, found by their weekly hours: quick while few are at work. */
async function listByTheHour(db: Db, wanted: Wanted, limit: number): Promise<number[]> {
  const hours = await listHoursOfNow(db, wanted.now)
  if (hours.length === 0) return []
  const { now } = wanted
  // Each part has its values inline, so that the database can pick the most selective index.
  const working = hours.map(
    ({ timezones, weekday, hour }) => sql`
      select p.* from practitioners p join weekly_hours h on h.practitioner_id = p.id
      where p.timezone = any(${timezones}::text[]) and h.appointment_type = 'online'
        and h.weekday = ${weekday} and h.hour = ${hour}`,
  )
  const { rows } = await sql<{ id: number }>`
    select p.id from (${sql.join(working, sql` union all `)}) p
    join help_turns t on t.practitioner_id = p.id
    where ${isOther(wanted)} and ${isListed(now)} and ${treats(wanted)} and ${isFree(wanted)}
      and ${isThere(now)}
    order by t.asked_at, p.id
    limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

type HourOfWeek = { timezones: string[]; weekday: number; hour: number }

/** The local weekday and hour in each zone of a practitioner. Zones outside all working hours are left out. */
async function listHoursOfNow(db: Db, now: Date): Promise<HourOfWeek[]> {
  const { rows } = await sql<HourOfWeek>`
    with recursive zones as (
      (select timezone from practitioners order by timezone limit 1)
      union all
      select (select p.timezone from practitioners p where p.timezone > z.timezone order by p.timezone limit 1)
      from zones z where z.timezone is not null
    ), clocks as (
      select timezone, extract(isodow from ${now}::timestamptz at time zone timezone)::int as weekday,
        extract(hour from ${now}::timestamptz at time zone timezone)::int as hour
      from zones where timezone is not null
    )
    select array_agg(timezone) as timezones, weekday, hour from clocks
    where hour between 8 and 21 group by weekday, hour`.execute(db)
  return rows
}
