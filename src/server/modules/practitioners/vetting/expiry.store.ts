import { sql } from 'kysely'
import type { FactKind } from '#contract/back-office/back-office.ts'
import type { Db, NewRow, Tx } from '../../../db/connection.ts'
import { isSameLicence } from './vetting.store.ts'

export type ExpiringRow = {
  practitioner_id: number
  fact_id: string
  kind: FactKind
  /** The body and number of a licence. */
  licence: string | null
  expires_on: string
  /** A newer one waits for a decision. */
  is_renewed: boolean
}

/** Whether a document of the kind of the accepted `d`, or the renewal of licence `l`, waits for a decision. */
const isDocumentRenewed = sql<boolean>`exists (select from practitioner_documents n
  where n.practitioner_id = d.practitioner_id and n.kind = d.kind and n.state = 'waiting')`
const isLicenceRenewed = sql<boolean>`exists (
  select from practitioner_licenses renewal where renewal.state = 'waiting' and ${isSameLicence})`

/**
 * Accepted facts of approved practitioners whose last day is `until` or before and after `since`. Before `today`, also
 * those beside which a newer one waits: the profile is hidden then.
 */
export async function readExpiring(
  db: Db,
  { since, until, today }: { since: string; until: string; today: string },
): Promise<ExpiringRow[]> {
  const { rows } = await sql<ExpiringRow>`
    select * from (
      select d.practitioner_id, d.id::text as fact_id, d.kind, null as licence, d.expires_on,
        ${isDocumentRenewed} as is_renewed
      from practitioner_documents d join practitioners p on p.id = d.practitioner_id
      where d.state = 'accepted' and d.expires_on between ${since} and ${until} and p.state = 'approved'
        and (d.kind = 'dbs' or (d.kind = 'insurance_certificate' and p.has_indemnity is not false))
      union all
      select l.practitioner_id, l.id::text, 'licence', b.name || ' ' || l.license_number, l.expires_on,
        ${isLicenceRenewed}
      from practitioner_licenses l join practitioners p on p.id = l.practitioner_id
      join license_bodies b on b.id = l.license_body_id
      where l.state = 'accepted' and l.expires_on between ${since} and ${until} and p.state = 'approved') f
    where not f.is_renewed or f.expires_on < ${today}
    order by 1, 2`.execute(db)
  return rows
}

/** The fact that a reminder is about, where that is still due: its last day is `day`. */
export async function findExpiring(
  db: Db,
  { id, factId, day, today }: { id: number; factId: string; day: string; today: string },
): Promise<ExpiringRow | undefined> {
  const rows = await readExpiring(db, { since: day, until: day, today })
  return rows.find((row) => row.practitioner_id === id && row.fact_id === factId)
}

export type EndingRow = {
  practitioner_id: number
  /** `is_renewed`: a newer document of the kind, or the renewal of the licence, waits for a decision. */
  facts: { kind: FactKind; licence: string | null; expires_on: string; is_renewed: boolean }[]
}

/** Accepted facts that hold no longer than what was vetted as a whole, of practitioners with an end of it. */
export async function readEnding(db: Db, ids: number[]): Promise<EndingRow[]> {
  const { rows } = await sql<EndingRow>`
    select p.id as practitioner_id,
      coalesce((select json_agg(json_build_object('kind', f.kind, 'licence', f.licence,
          'expires_on', f.expires_on, 'is_renewed', f.is_renewed)
        order by f.kind, f.licence) from (
          select d.kind, null as licence, d.expires_on, ${isDocumentRenewed} as is_renewed
          from practitioner_documents d
          where d.practitioner_id = p.id and d.state = 'accepted' and (d.kind = 'dbs'
            or (d.kind = 'insurance_certificate' and p.has_indemnity is not false))
          union all
          select 'licence', b.name || ' ' || l.license_number, l.expires_on, ${isLicenceRenewed}
          from practitioner_licenses l join license_bodies b on b.id = l.license_body_id
          where l.practitioner_id = p.id and l.state = 'accepted') f
        where (f.expires_on + 1)::timestamp at time zone 'Europe/London' = p.vetted_until), '[]'::json) as facts
    from practitioners p where p.id = any(${ids}::int[])`.execute(db)
  return rows
}

/** Notes that a reminder is on its way. False when it has been before. */
export async function noteReminder(tx: Tx, reminder: NewRow<'vetting_reminders'>): Promise<boolean> {
  const row = await tx
    .insertInto('vetting_reminders')
    .values(reminder)
    .onConflict((conflict) => conflict.doNothing())
    .returning('practitioner_id')
    .executeTakeFirst()
  return row !== undefined
}
