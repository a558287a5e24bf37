import { type NotNull, sql } from 'kysely'
import type { FactKind, PractitionerState } from '#contract/back-office/back-office.ts'
import type { Db, Tx } from '../../../db/connection.ts'
import { containing } from '../../../db/containing.ts'
import { type OverviewRow, overviewColumns } from '../practitioners.store.ts'

// The queue ---------------------------------------------------------------------------------------------------------

export type QueueRow = OverviewRow & { waiting_facts: number; waiting_since: Date | null }

type Filter = {
  state?: PractitionerState | undefined
  waiting?: boolean
  /** Part of a name or email. */
  search?: string | undefined
}

/**
 * Matches practitioners who wait for an admin: a submitted profile, or an approved or suspended one with an undecided
 * fact. Drafts and rejected profiles wait for their owner.
 */
const isWaiting = sql`(p.state = 'submitted' or (p.state in ('approved', 'suspended') and (
  exists (select 1 from practitioner_documents d where d.practitioner_id = p.id and d.state = 'waiting')
  or exists (select 1 from practitioner_licenses l where l.practitioner_id = p.id and l.state = 'waiting'))))`

const matching = ({ state, waiting, search }: Filter) =>
  sql`(${state ?? null}::text is null or p.state = ${state ?? null})
    and (not ${waiting ?? false}::boolean or ${isWaiting})
    and ${containing(search, sql`a.email, a.first_name || ' ' || a.last_name`)}`

/** Longest waiting first; where nothing waits, by when they came into their state. */
export async function readQueue(
  db: Db,
  filter: Filter,
  range: { limit: number; offset: number },
): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    select ${overviewColumns}, w.waiting_facts,
      case when p.state = 'submitted' then coalesce(p.state_changed_at, p.created_at)
        when p.state in ('approved', 'suspended') then w.since end as waiting_since
    from practitioners p
    join accounts a on a.id = p.account_id,
    lateral (select count(*)::int as waiting_facts, min(f.created_at) as since from (
      select created_at from practitioner_documents where practitioner_id = p.id and state = 'waiting'
      union all
      select created_at from practitioner_licenses where practitioner_id = p.id and state = 'waiting') f) w
    where ${matching(filter)}
    order by waiting_since nulls last, coalesce(p.state_changed_at, p.created_at), p.id
    limit ${range.limit} offset ${range.offset}`.execute(db)
  return rows
}

export async function countQueue(db: Db, filter: Filter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from practitioners p join accounts a on a.id = p.account_id
    where ${matching(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Counts practitioners by state, and those who wait for an admin. */
export async function countByState(db: Db): Promise<Record<PractitionerState | 'waiting', number>> {
  const { rows } = await sql<Record<PractitionerState | 'waiting', number>>`
    select count(*) filter (where ${isWaiting})::int as waiting,
      count(*) filter (where p.state = 'draft')::int as draft,
      count(*) filter (where p.state = 'submitted')::int as submitted,
      count(*) filter (where p.state = 'approved')::int as approved,
      count(*) filter (where p.state = 'rejected')::int as rejected,
      count(*) filter (where p.state = 'suspended')::int as suspended,
      count(*) filter (where p.state = 'closed')::int as closed
    from practitioners p`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('Counting answers one row.')
  return counts
}

// One practitioner --------------------------------------------------------------------------------------------------

export type VettingRow = {
  about: string
  short_description: string
  date_of_birth: string | null
  phone_code: string | null
  phone_number: string | null
  gender: string | null
  title: string | null
  timezone: string
  years_of_experience: number | null
  image_key: string | null
  has_indemnity: boolean | null
  video_url: string | null
  video_key: string | null
  captions_key: string | null
  video_transcript: string | null
  captions_asked_at: Date | null
  vetted_until: Date | null
  languages: string[]
  cities: string[]
}

export async function readVetting(db: Db, id: number): Promise<VettingRow | undefined> {
  const { rows } = await sql<VettingRow>`
    select p.about, p.short_description, p.date_of_birth, p.phone_code, p.phone_number, g.name as gender,
      t.name as title, p.timezone, p.years_of_experience, p.image_key, p.has_indemnity, p.vetted_until,
      p.video_url, v.storage_key as video_key, c.storage_key as captions_key, p.video_transcript, p.captions_asked_at,
      array(select l.name from practitioner_languages x join languages l on l.id = x.language_id
        where x.practitioner_id = p.id order by l.id) as languages,
      array(select distinct city from locations where practitioner_id = p.id and removed_at is null
        order by city) as cities
    from practitioners p
    left join genders g on g.id = p.gender_id
    left join titles t on t.id = p.title_id
    left join stored_files v on v.id = p.video_file_id
    left join stored_files c on c.id = p.video_captions_file_id
    where p.id = ${id}`.execute(db)
  return rows[0]
}

export type DocumentRow = Awaited<ReturnType<typeof readVettedDocuments>>[number]

/** Documents that can still be looked at: not those whose place another has taken. */
export function readVettedDocuments(db: Db, id: number) {
  return db
    .selectFrom('practitioner_documents as d')
    .innerJoin('stored_files as f', 'f.id', 'd.file_id')
    .select([
      'd.id',
      'd.kind',
      'd.state',
      'd.reason',
      'd.expires_on',
      'd.created_at',
      'd.decided_at',
      'f.content_type',
      'f.bytes',
    ])
    .where('d.practitioner_id', '=', id)
    .where('d.state', '<>', 'replaced')
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id')
    .execute()
}

export type LicenceRow = Awaited<ReturnType<typeof readVettedLicences>>[number]

export function readVettedLicences(db: Db, id: number) {
  return db
    .selectFrom('practitioner_licenses as x')
    .innerJoin('license_bodies as b', 'b.id', 'x.license_body_id')
    .innerJoin('provider_types as t', 't.id', 'x.provider_type_id')
    .select([
      'x.id',
      'b.name as body',
      'x.license_number',
      't.name as provider_type',
      'x.state',
      'x.reason',
      'x.expires_on',
      'x.created_at',
    ])
    .where('x.practitioner_id', '=', id)
    .orderBy('x.id')
    .execute()
}

/** Whether licence `renewal` waits beside licence `l`, or takes its place. */
export const isSameLicence = sql`renewal.id <> l.id and renewal.practitioner_id = l.practitioner_id
  and renewal.provider_type_id = l.provider_type_id and renewal.license_body_id = l.license_body_id
  and renewal.license_number = l.license_number`

// Decisions ---------------------------------------------------------------------------------------------------------

type Decided = {
  from: 'waiting' | 'accepted'
  state: 'waiting' | 'accepted' | 'refused'
  reason: string | null
  expires_on?: string | null
}

/**
 * Decides on a document of the practitioner that is in the state `from`. An insurance whose acceptance is reopened is not
 * shown any more.
 */
export async function decideDocument(
  tx: Tx,
  practitionerId: number,
  documentId: string,
  { from, ...change }: Decided & { decided_at: Date | null },
): Promise<void> {
  const decided = await tx
    .updateTable('practitioner_documents')
    .set(change)
    .where('id', '=', documentId)
    .where('practitioner_id', '=', practitionerId)
    .where('state', '=', from)
    .returning('kind')
    .executeTakeFirst()
  if (decided?.kind === 'insurance_certificate' && change.state === 'waiting')
    await hideInsurance(tx, practitionerId)
}

/** Removes the insurance from the profile until a certificate is accepted. */
async function hideInsurance(tx: Tx, practitionerId: number): Promise<void> {
  await tx
    .updateTable('practitioners')
    .set({ insurance_certificate_expires: null })
    .where('id', '=', practitionerId)
    .execute()
}

/**
 * Puts away what is not needed any more once a document of a kind is to be accepted: the one accepted before, and those
 * refused. The files that they were in.
 * @param endedBefore only those whose last good day is before this one
 */
export async function replaceDecided(
  tx: Tx,
  practitionerId: number,
  kind: Exclude<FactKind, 'licence'>,
  endedBefore?: string,
): Promise<string[]> {
  const rows = await tx
    .updateTable('practitioner_documents')
    .set({ state: 'replaced', reason: null })
    .where('practitioner_id', '=', practitionerId)
    .where('kind', '=', kind)
    .where('state', 'in', ['accepted', 'refused'])
    .$if(endedBefore !== undefined, (query) => query.where('expires_on', '<', endedBefore ?? null))
    .returning('file_id')
    .execute()
  return rows.map((row) => row.file_id)
}

/** Decides on a licence of the practitioner that is in the state `from`. */
export async function decideLicence(
  tx: Tx,
  practitionerId: number,
  licenceId: number,
  { from, ...change }: Decided,
): Promise<void> {
  await tx
    .updateTable('practitioner_licenses')
    .set(change)
    .where('id', '=', licenceId)
    .where('practitioner_id', '=', practitionerId)
    .where('state', '=', from)
    .execute()
}

/** Deletes what stands beside a licence under its number: the one that it renews, or a refused renewal. */
export async function deleteSameLicences(tx: Tx, practitionerId: number, licenceId: number): Promise<void> {
  await sql`
    delete from practitioner_licenses l using practitioner_licenses renewal
    where renewal.id = ${licenceId} and renewal.practitioner_id = ${practitionerId} and ${isSameLicence}`.execute(
    tx,
  )
}

/**
 * Sends every accepted fact of a practitioner back to be checked. One beside which a newer one waits gives way to it.
 * Returns the files that are not needed any more.
 */
export async function reopenFacts(tx: Tx, practitionerId: number): Promise<string[]> {
  const { rows } = await sql<{ file_id: string }>`
    update practitioner_documents d set state = 'replaced'
    where d.practitioner_id = ${practitionerId} and d.state = 'accepted' and exists (
      select from practitioner_documents n where n.practitioner_id = d.practitioner_id and n.kind = d.kind
        and n.state = 'waiting')
    returning d.file_id`.execute(tx)
  await sql`
    delete from practitioner_licenses l using practitioner_licenses renewal
    where renewal.practitioner_id = ${practitionerId} and l.state <> 'accepted' and renewal.state = 'accepted'
      and ${isSameLicence}`.execute(tx)
  await sql`update practitioner_documents set state = 'waiting', decided_at = null
    where practitioner_id = ${practitionerId} and state = 'accepted'`.execute(tx)
  await sql`update practitioner_licenses set state = 'waiting'
    where practitioner_id = ${practitionerId} and state = 'accepted'`.execute(tx)
  await hideInsurance(tx, practitionerId)
  await updateVettedUntil(tx, practitionerId)
  return rows.map((row) => row.file_id)
}

/** Writes down that captions were asked for. */
export async function setCaptionsAsked(tx: Tx, practitionerId: number, now: Date): Promise<void> {
  await tx
    .updateTable('practitioners')
    .set({ captions_asked_at: now })
    .where('id', '=', practitionerId)
    .execute()
}

/**
 * Updates the date until which a practitioner is vetted: the earliest expiry of the DBS certificate, the insurance if
 * they have one, and the longest-lasting licence. Each is valid to the end of its last day in the United Kingdom. An
 * identity document does not expire. The profile then shows the insurance that is accepted; until a certificate has been
 * decided on, it stays as it is.
 */
export async function updateVettedUntil(tx: Tx, practitionerId: number): Promise<void> {
  await sql`
    update practitioners p set vetted_until = least(
      (select min((d.expires_on + 1)::timestamp at time zone 'Europe/London') from practitioner_documents d
       where d.practitioner_id = p.id and d.state = 'accepted'
         and (d.kind = 'dbs' or (d.kind = 'insurance_certificate' and p.has_indemnity is not false))),
      (select case when bool_and(l.expires_on is not null)
         then max((l.expires_on + 1)::timestamp at time zone 'Europe/London') end
       from practitioner_licenses l where l.practitioner_id = p.id and l.state = 'accepted')),
      insurance_certificate_expires = (
        select case when count(*) filter (where d.state <> 'waiting') = 0 then p.insurance_certificate_expires
          else max(d.expires_on) filter (where d.state = 'accepted') end
        from practitioner_documents d where d.practitioner_id = p.id and d.kind = 'insurance_certificate')
    where p.id = ${practitionerId}`.execute(tx)
}

// Mails -------------------------------------------------------------------------------------------------------------

/** The recipient of a mail, with the practitioner's standing. Undefined if the account was deleted. */
export function findRecipient(db: Db, practitionerId: number) {
  return db
    .selectFrom('practitioners as p')
    .innerJoin('accounts as a', 'a.id', 'p.account_id')
    .select([
      'p.account_id',
      'a.email',
      'a.first_name',
      'a.email_verified_at',
      'p.state',
      'p.subscribed_until',
      'p.vetted_until',
    ])
    .where('p.id', '=', practitionerId)
    .where('a.deleted_at', 'is', null)
    .$narrowType<{ email: NotNull }>()
    .executeTakeFirst()
}
