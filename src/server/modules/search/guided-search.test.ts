import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AssistanceCategory } from '#contract/search.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { createPractitioner } from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { recommend, walk } from './guided-search.rules.ts'
import { readCategories } from './guided-search.store.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(async () => app.close())

async function categories(): Promise<AssistanceCategory[]> {
  const answer = await app.call('GET', '/filter/need-assistance')
  expect(answer.status).toBe(200)
  return answer.body as unknown as AssistanceCategory[]
}
const ask = (therapy_category_id: unknown, question_answer_array: unknown) =>
  app.call('POST', '/find-recommended-therapy', { body: { therapy_category_id, question_answer_array } })

/** The first answers of a category, or others by the question's place. */
function answersOf(category: AssistanceCategory, places: Record<number, number> = {}) {
  return Object.fromEntries(
    category.therapy_filter_questions.map((question, at) => [
      question.therapy_filter_question_id,
      question.therapy_filter_answers[places[at] ?? 0]?.therapy_filter_answer_id,
    ]),
  )
}

describe('the questions', () => {
  test('are four to six in each of the four categories, the first of large cards, the last about safety', async () => {
    const all = await categories()
    expect(all.map(({ value, therapy_category_id }) => [value, therapy_category_id])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ])
    for (const { therapy_filter_questions: questions } of all) {
      expect(questions.length).toBeGreaterThanOrEqual(4)
      expect(questions.length).toBeLessThanOrEqual(6)
      expect(questions[0]?.type).toBe(1)
      const last = questions.at(-1)?.therapy_filter_answers ?? []
      expect(last.map(({ danger }) => danger)).toEqual([null, 'watch', 'now', 'watch'])
      expect(last.every((answer) => !answer.trigger_next)).toBe(true)
      for (const question of questions) {
        expect(question.therapy_filter_answers.length).toBeGreaterThan(1)
      }
    }
  })

  test('mark as urgent what cannot wait for a therapist, and show danger wherever they mark it', async () => {
    const answers = (await categories())
      .flatMap((category) => category.therapy_filter_questions)
      .flatMap((question) => question.therapy_filter_answers)
    expect(answers.filter(({ danger }) => danger === 'now').map(({ title }) => title)).toEqual([
      'Yes, and I am afraid that I might act on it',
      'No, I am afraid of somebody',
      'Yes, and I am afraid that I might act on it',
      'No, it is still happening',
      'Yes, and I am afraid that I might act on it',
      'Yes, and I am afraid that I might act on it',
    ])
    for (const { shows_danger, danger } of answers) expect(shows_danger).toBe(danger !== null)
  })

  test('do not say what their answers speak for', async () => {
    const text = JSON.stringify(await categories())
    expect(text).not.toContain('scores')
    expect(text).not.toContain('because')
  })
})

test('every path of questions ends in a recommendation with a reason, even if no type is offered', async () => {
  let paths = 0
  for (const { questions } of await readCategories(app.db)) {
    const follow = (at: number, given: Map<number, number>) => {
      for (const answer of questions[at]?.answers ?? []) {
        const next = new Map(given).set(questions[at]?.id ?? 0, answer.id)
        if (answer.trigger_next) {
          expect(questions[at + 1]).toBeDefined()
          follow(at + 1, next)
          continue
        }
        paths++
        const walked = walk(questions, next)
        const found = 'answers' in walked ? recommend(walked.answers, new Set()) : undefined
        if (!found || found.because.length === 0)
          throw new Error(`No way on from ${[...next.values()].join()}`)
      }
    }
    follow(0, new Map())
  }
  expect(paths).toBeGreaterThan(10_000)
})

test('no path recommends harmful therapy: with a feared partner, memory work too soon, or no doctor', async () => {
  const seen = { afraid: 0, happening: 0, recent: 0, mightAct: 0 }
  for (const { questions } of await readCategories(app.db)) {
    const follow = (
      at: number,
      way: { title: string; answer: Parameters<typeof recommend>[0][number] }[],
    ) => {
      for (const answer of questions[at]?.answers ?? []) {
        const next = [...way, { title: answer.title, answer }]
        if (answer.trigger_next) {
          follow(at + 1, next)
          continue
        }
        const said = new Set(next.map(({ title }) => title))
        const id = recommend(
          next.map((each) => each.answer),
          new Set(Array.from({ length: 20 }, (_, place) => place + 1)),
        )?.therapyTypeId
        const expectNone = (count: keyof typeof seen, ...ids: number[]) => {
          seen[count]++
          if (id === undefined || ids.includes(id)) throw new Error(`${[...said].join(' – ')} leads to ${id}`)
        }
        if (said.has('No, I am afraid of somebody') || said.has('Not always')) expectNone('afraid', 8, 9)
        if (said.has('No, it is still happening')) expectNone('happening', 4, 12, 16)
        if (said.has('Within the last month')) expectNone('recent', 4)
        if (said.has('Yes, and I am afraid that I might act on it')) {
          seen.mightAct++
          if (id !== 18) throw new Error(`${[...said].join(' – ')} does not lead to a doctor`)
        }
      }
    }
    follow(0, [])
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(500)
})

describe('a recommendation', () => {
  test('comes for every answer of every question over HTTP, and says why', async () => {
    for (const category of await categories()) {
      for (const [at, question] of category.therapy_filter_questions.entries()) {
        for (const place of question.therapy_filter_answers.keys()) {
          const { status, body } = await ask(
            category.therapy_category_id,
            answersOf(category, { [at]: place }),
          )
          expect(status).toBe(200)
          expect(String(body.reason)).toMatch(/^You told us that .+\. .+\.$/)
          expect(String(body.image)).toMatch(/^\/illustrations\/therapy\/[a-z-]+\.svg$/)
          expect(Object.keys(body).sort()).toEqual([
            'image',
            'issue_id',
            'reason',
            'therapy_type_description',
            'therapy_type_id',
            'therapy_type_name',
          ])
        }
      }
    }
  })

  test('follows what is said: worry to CBT, a couple to couples therapy, memories to EMDR, medicine to a psychiatrist', async () => {
    const [individual, relationship, trauma, medication] = await categories()
    if (!individual || !relationship || !trauma || !medication) throw new Error('Four are expected.')
    const nameFor = async (category: AssistanceCategory, places: Record<number, number>) =>
      String((await ask(category.therapy_category_id, answersOf(category, places))).body.therapy_type_name)
    expect(await nameFor(individual, { 0: 0, 2: 0 })).toMatch(/CBT/)
    expect(await nameFor(relationship, { 0: 0, 1: 1 })).toMatch(/couples/)
    expect(await nameFor(trauma, { 0: 5, 1: 2, 2: 0, 3: 1 })).toMatch(/EMDR/)
    expect(await nameFor(medication, { 0: 1 })).toMatch(/Psychiatric/)
  })

  test('an offered type replaces the recommended one when it fits nearly as well', async () => {
    const [individual] = await categories()
    if (!individual) throw new Error('One is expected.')
    const practitioner = await createPractitioner(app)
    await app.db
      .insertInto('practitioner_therapy_types')
      .values({ practitioner_id: practitioner.id, therapy_type_id: 13 })
      .execute()
    await inTransaction(app.db, (tx) => app.services.search.project(tx, practitioner.id))
    const answers = answersOf(individual, { 0: 5, 1: 1, 2: 5 })
    expect((await ask(1, answers)).body).toMatchObject({ therapy_type_id: 13 })
    // An offered type that fits far less well does not replace it.
    expect((await ask(1, answersOf(individual))).body).toMatchObject({ therapy_type_id: 1 })
    await app.db.updateTable('practitioners').set({ state: 'suspended' }).execute()
    await inTransaction(app.db, (tx) => app.services.search.project(tx, practitioner.id))
    expect((await ask(1, answers)).body).toMatchObject({ therapy_type_id: 7 })
  })

  test('takes the answers by place, counted from 1, or from 0 if a key is 0, and as a list, too', async () => {
    const [individual] = await categories()
    if (!individual) throw new Error('One is expected.')
    const answers = Object.values(answersOf(individual))
    const byId = await ask(1, answersOf(individual))
    expect((await ask(1, answers)).body).toEqual(byId.body)
    expect((await ask('1', Object.fromEntries(answers.map((id, at) => [at + 1, String(id)])))).body).toEqual(
      byId.body,
    )
    expect((await ask(1, Object.fromEntries(answers.map((id, at) => [at, id])))).body).toEqual(byId.body)
  })

  test('is refused in words for a question left open, an answer of another question and a category that is none', async () => {
    const [individual, relationship] = await categories()
    if (!individual || !relationship) throw new Error('Two are expected.')
    const open = answersOf(individual)
    const [first, second] = Object.keys(open)
    const cases: [unknown, unknown, RegExp][] = [
      [1, {}, /Please answer: What weighs on you most/],
      [1, { ...open, [second ?? '']: undefined }, /Please answer: How long/],
      [1, { ...open, [first ?? '']: 10_299 }, /Please answer: What weighs/],
      [1, answersOf(relationship), /Please answer/],
      [1, { ...open, 999: 1 }, /not asked/],
      [1, { ...Object.fromEntries(Object.values(open).entries()), 999: 1 }, /not asked/],
      [1, { ...open, 0: Object.values(open)[0] }, /Please answer: How long/],
      [99, open, /Choose what it is about/],
    ]
    for (const [category, answers, message] of cases) {
      const { status, body } = await ask(category, answers)
      expect(status).toBe(422)
      expect(JSON.stringify(body.errors)).toMatch(message)
    }
    for (const odd of [null, 'x', { a: 1 }, { 101: {} }, Array(21).fill(1), { 101: 1e12 }]) {
      expect((await ask(1, odd)).status).toBe(422)
    }
  })

  test('leaves no trace of the answers, neither in the database nor in the log', async () => {
    const [individual] = await categories()
    if (!individual) throw new Error('One is expected.')
    const before = await fingerprint(app.db)
    expect((await ask(1, answersOf(individual, { 4: 2 }))).status).toBe(200)
    expect(await fingerprint(app.db)).toEqual(before)
    expect(app.logged()).toContain('/find-recommended-therapy')
    expect(app.logged()).not.toMatch(/10503|hurting/)
  })
})
