import type { FilterData } from '#contract/practitioners/practitioners.ts'
import type { Db } from '../../db/connection.ts'

/** Everything that practitioners are described by, without the bounds of prices. */
export type ReferenceLists = Omit<FilterData, 'min_price' | 'max_price'>

export async function readIssues(db: Db): Promise<ReferenceLists['issues']> {
  return db
    .selectFrom('issues')
    .select(['id as issue_id', 'name as issue_name', 'description'])
    .orderBy('id')
    .execute()
}

export async function readLanguages(db: Db): Promise<ReferenceLists['languages']> {
  return db
    .selectFrom('languages')
    .select(['id as language_id', 'name as language_name'])
    .orderBy('name')
    .execute()
}

export async function readReferenceLists(db: Db): Promise<ReferenceLists> {
  const [provider_types, issues, insurance_companies, therapy_types, languages, genders] = await Promise.all([
    db
      .selectFrom('provider_types')
      .select(['id as provider_id', 'name as provider_type'])
      .orderBy('id')
      .execute(),
    readIssues(db),
    db
      .selectFrom('insurance_companies')
      .select(['id as insurance_company_id', 'name as insurance_company'])
      .orderBy((eb) => eb.fn('lower', ['name']))
      .execute(),
    db
      .selectFrom('therapy_types')
      .select(['id as therapy_type_id', 'name as therapy_type_name'])
      .orderBy('id')
      .execute(),
    readLanguages(db),
    db.selectFrom('genders').select('name').orderBy('id').execute(),
  ])
  return {
    provider_types,
    issues,
    insurance_companies,
    therapy_types,
    languages,
    genders: genders.map((gender) => gender.name),
  }
}

/** The id of a gender by its name, ignoring case. */
export async function readGenderId(db: Db, name: string): Promise<number | undefined> {
  const rows = await db.selectFrom('genders').selectAll().execute()
  return rows.find((row) => row.name.toLowerCase() === name.trim().toLowerCase())?.id
}
