import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Answer, type Question, reasonOf, recommend, walk } from './guided-search.rules.ts'

const answer = (id: number, more: Partial<Answer> = {}): Answer => ({
  id,
  because: null,
  trigger_next: true,
  issue_id: null,
  scores: {},
  excludes: [],
  ...more,
})

const questions: Question[] = [
  { id: 101, answers: [answer(1), answer(2, { trigger_next: false })] },
  { id: 102, answers: [answer(3), answer(4)] },
  { id: 103, answers: [answer(5, { trigger_next: false })] },
]
const given = (map: Record<number, number>) =>
  new Map(Object.entries(map).map(([key, value]) => [Number(key), value]))

describe('walking through the questions', () => {
  test('follows them by id or by place, to the answer that ends them', () => {
    const ids = (map: Record<number, number>) => {
      const walked = walk(questions, given(map))
      return 'answers' in walked ? walked.answers.map(({ id }) => id) : walked
    }
    expect(ids({ 101: 1, 102: 4, 103: 5 })).toEqual([1, 4, 5])
    expect(ids({ 1: 1, 2: 4, 3: 5 })).toEqual([1, 4, 5])
    expect(ids({ 1: 1, 102: 3, 3: 5 })).toEqual([1, 3, 5])
    expect(ids({ 101: 2 })).toEqual([2])
  })

  test('says which question is open, also where the answer belongs to another one', () => {
    expect(walk(questions, given({ 101: 1 }))).toEqual({ unanswered: 102 })
    expect(walk(questions, given({ 101: 3, 102: 3, 103: 5 }))).toEqual({ unanswered: 101 })
    expect(walk(questions, given({}))).toEqual({ unanswered: 101 })
  })

  test('refuses answers to what was not asked', () => {
    expect(walk(questions, given({ 101: 2, 102: 3 }))).toEqual({ foreign: 102 })
    expect(walk(questions, given({ 101: 1, 102: 3, 103: 5, 999: 1 }))).toEqual({ foreign: 999 })
  })
})

describe('recommending', () => {
  const scored = fc.record({
    id: fc.integer({ min: 1, max: 99 }),
    because: fc.option(fc.constantFrom('a', 'b', 'c', 'd')),
    trigger_next: fc.boolean(),
    issue_id: fc.option(fc.integer({ min: 1, max: 41 })),
    scores: fc.dictionary(fc.integer({ min: 1, max: 20 }).map(String), fc.integer({ min: 1, max: 6 })),
    excludes: fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 3 }),
  })
  const sumOf = (answers: Answer[], id: number) =>
    answers.reduce((sum, each) => sum + (each.scores[id] ?? 0), 0)

  test('nothing fits better that is offered and fits nearly as well, and nothing that was spoken against is suggested', () => {
    fc.assert(
      fc.property(
        fc.array(scored, { maxLength: 6 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 20 })),
        (answers, offered) => {
          const found = recommend(answers, new Set(offered))
          const excluded = new Set(answers.flatMap((each) => each.excludes))
          const possible = new Set(
            answers.flatMap((each) => Object.keys(each.scores).map(Number)).filter((id) => !excluded.has(id)),
          )
          if (possible.size === 0) {
            expect(found).toBeUndefined()
            return
          }
          const best = found?.therapyTypeId ?? 0
          expect(possible).toContain(best)
          const most = Math.max(...[...possible].map((id) => sumOf(answers, id)))
          const near = [...possible].filter(
            (id) => offered.includes(id) && sumOf(answers, id) >= (most * 2) / 3,
          )
          if (near.length > 0) expect(near).toContain(best)
          for (const id of near.length > 0 ? near : possible) {
            const [own, other] = [sumOf(answers, best), sumOf(answers, id)]
            expect(own > other || (own === other && best <= id)).toBe(true)
          }
          expect(found?.because.length).toBeLessThanOrEqual(3)
        },
      ),
    )
  })

  test('gives the weightiest of what speaks for it first, and the first issue that was named', () => {
    const found = recommend(
      [
        answer(1, { because: 'light', scores: { 1: 1 } }),
        answer(2, { because: 'against', scores: { 2: 1 }, issue_id: 7 }),
        answer(3, { because: 'heavy', scores: { 1: 4 }, issue_id: 9 }),
      ],
      new Set([1, 2]),
    )
    expect(found).toEqual({ therapyTypeId: 1, issueId: 7, because: ['heavy', 'light'] })
  })
})

test('the reason reads as a sentence, however much there is to say', () => {
  expect(reasonOf([], 'CBT works.')).toBe('CBT works.')
  expect(reasonOf(['you worry'], 'CBT works.')).toBe('You told us that you worry. CBT works.')
  expect(reasonOf(['a', 'b'], 'C.')).toBe('You told us that a and b. C.')
  expect(reasonOf(['a', 'b', 'c'], 'D.')).toBe('You told us that a, b and c. D.')
})
