import type { Db } from '../connection.ts'
import { insertRows } from './insert-rows.ts'
import { answerId, type GuidedCategory } from './reference/guided-search/types.ts'
import { referenceData } from './reference.ts'

/** Writes every list of the reference data; what is there already gets today's names. */
export async function insertReference(db: Db): Promise<void> {
  const lists = referenceData
  const named = (rows: readonly { id: number; name: string }[]) => rows.map(({ id, name }) => ({ id, name }))
  await insertRows(
    db,
    'provider_types',
    lists.providerTypes.map((type) => ({ id: type.provider_id, name: type.provider_type })),
    'update',
  )
  await insertRows(
    db,
    'issues',
    lists.issues.map((issue) => ({
      id: issue.issue_id,
      name: issue.issue_name,
      description: issue.description,
    })),
    'update',
  )
  await insertRows(
    db,
    'therapy_types',
    lists.therapyTypes.map((type) => ({
      id: type.therapy_type_id,
      name: type.therapy_type_name,
      description: type.therapy_type_description,
      image: type.image,
      fits: type.fits,
    })),
    'update',
  )
  await insertRows(
    db,
    'languages',
    lists.languages.map((language) => ({ id: language.language_id, name: language.language_name })),
    'update',
  )
  await insertRows(
    db,
    'insurance_companies',
    lists.insuranceCompanies.map((company) => ({
      id: company.insurance_company_id,
      name: company.insurance_company,
    })),
    'update',
  )
  await insertRows(
    db,
    'license_bodies',
    lists.licenseBodies.map((body) => ({ id: body.license_body_id, name: body.name })),
    'update',
  )
  await insertRows(db, 'titles', named(lists.titles), 'update')
  await insertRows(db, 'genders', named(lists.genders), 'update')
  await insertRows(
    db,
    'timezones',
    lists.timezones.map((zone) => ({ id: zone.timezone_id, name: zone.timezone_name })),
    'update',
  )
  await insertRows(
    db,
    'phone_codes',
    lists.phoneCodes.map((code) => ({
      id: code.phone_code_id,
      phone_code: code.phone_code,
      country: code.country,
    })),
    'update',
  )
  await insertRows(
    db,
    'services',
    lists.services.map((service) => ({ id: service.service_id, name: service.name })),
    'update',
  )
  await insertGuidedSearch(db, lists.guidedSearch)
}

/** What is asked today, and nothing that was asked before. */
async function insertGuidedSearch(db: Db, categories: readonly GuidedCategory[]): Promise<void> {
  for (const table of ['guided_answers', 'guided_questions', 'guided_categories'] as const) {
    await db.deleteFrom(table).execute()
  }
  await insertRows(
    db,
    'guided_categories',
    categories.map(({ category_id, name, description }) => ({ id: category_id, name, description })),
    'update',
  )
  const questions = categories.flatMap((category) =>
    category.questions.map((question, position) => ({
      ...question,
      position,
      category_id: category.category_id,
      isLast: position === category.questions.length - 1,
    })),
  )
  await insertRows(
    db,
    'guided_questions',
    questions.map((question) => ({
      id: question.question_id,
      category_id: question.category_id,
      position: question.position,
      name: question.question_name,
      hint: question.hint ?? null,
      type: question.type,
    })),
    'update',
  )
  await insertRows(
    db,
    'guided_answers',
    questions.flatMap((question) =>
      question.answers.map((answer, position) => ({
        id: answerId(question, position),
        question_id: question.question_id,
        position,
        title: answer.title,
        because: answer.because ?? null,
        trigger_next: !question.isLast,
        shows_danger: answer.danger !== undefined,
        danger: answer.danger ?? null,
        issue_id: answer.issue_id ?? null,
        scores: answer.scores,
        excludes: [...(answer.excludes ?? [])],
      })),
    ),
    'update',
  )
}
