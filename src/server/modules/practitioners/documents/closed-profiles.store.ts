import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/connection.ts'

/** What a profile holds of the person, each with its value once the profile is emptied. */
const emptied = {
  title_id: null,
  gender_id: null,
  pronouns: null,
  date_of_birth: null,
  phone_code: null,
  phone_number: null,
  about: '',
  short_description: '',
  image_key: null,
  video_choice: null,
  video_url: null,
  video_file_id: null,
  video_captions_file_id: null,
  video_transcript: null,
  meeting_link: null,
  years_of_experience: null,
  age_groups: [] as string[],
  has_indemnity: null,
  insurance_certificate_expires: null,
  works_with_insurance: false,
} as const

/** What hangs on a profile and goes with it, beside the documents. */
const belongings = [
  'practitioner_licenses',
  'practitioner_languages',
  'practitioner_issues',
  'practitioner_insurance_companies',
] as const

/** Profiles that were closed before, and are not empty. The longest closed come first. */
export async function listToEmpty(db: Db, closedBefore: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('practitioners as p')
    .select('p.id')
    .where('p.state', '=', 'closed')
    .where('p.state_changed_at', '<=', closedBefore)
    .where((eb) =>
      eb.or([
        ...Object.entries(emptied).map(([column, blank]) =>
          eb(`p.${column as keyof typeof emptied}`, 'is distinct from', eb.val(blank)),
        ),
        ...['practitioner_documents', ...belongings].map(
          (table) => sql<boolean>`exists (select from ${sql.table(table)} x where x.practitioner_id = p.id)`,
        ),
      ]),
    )
    .orderBy('p.state_changed_at')
    .limit(100)
    .execute()
  return rows.map(({ id }) => id)
}

/** Locks a profile until the transaction ends. Returns its files; undefined unless it is closed. */
export function lockClosed(tx: Tx, id: number) {
  return tx
    .selectFrom('practitioners')
    .select(['image_key', 'video_file_id', 'video_captions_file_id'])
    .where('id', '=', id)
    .where('state', '=', 'closed')
    .forUpdate()
    .executeTakeFirst()
}

/** Empties a profile. Returns the files of its documents. */
export async function emptyProfile(tx: Tx, id: number): Promise<string[]> {
  await tx.updateTable('practitioners').set(emptied).where('id', '=', id).execute()
  for (const table of belongings) {
    await tx.deleteFrom(table).where('practitioner_id', '=', id).execute()
  }
  const documents = await tx
    .deleteFrom('practitioner_documents')
    .where('practitioner_id', '=', id)
    .returning('file_id')
    .execute()
  return documents.map(({ file_id }) => file_id)
}
