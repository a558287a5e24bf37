import { describe, expect, test } from 'vitest'
import type { AssistanceCategory } from '#contract/search.ts'
import type { TextStorage } from '#web/lib/tab-storage.ts'
import { tabTextPrefix } from '#web/lib/tab-texts.ts'
import { forgetAnswers, keepAnswers, readAnswers } from './kept-answers.ts'
import { callsFirst, completeAnswers, goneOn, hintsAtDanger, reachableStep, withAnswer } from './steps.ts'

const answer = (id: number, trigger_next = true, danger: 'now' | 'watch' | null = null) => ({
  therapy_filter_answer_id: id,
  title: `Answer ${id}`,
  trigger_next,
  shows_danger: danger !== null,
  danger,
})
const question = (id: number, ...answers: ReturnType<typeof answer>[]) => ({
  therapy_filter_question_id: id,
  question_name: `Question ${id}`,
  hint: null,
  type: 1,
  therapy_filter_answers: answers,
})
const category: AssistanceCategory = {
  therapy_category_id: 1,
  value: 0,
  category_name: 'One',
  description: '',
  therapy_filter_questions: [
    question(101, answer(1), answer(2, false)),
    question(102, answer(3), answer(4, true, 'watch'), answer(6, true, 'now')),
    question(103, answer(5, false)),
  ],
}
const kept = (answers: Record<string, number>, categoryId = 1) => ({ categoryId, answers })

describe('the step to show', () => {
  test('is never further than what has been answered', () => {
    const step = (wanted: number, answers?: Record<string, number>) =>
      reachableStep(wanted, [category], answers && kept(answers))
    expect(step(3)).toBe(0)
    expect(step(3, {})).toBe(1)
    expect(step(3, { 101: 1 })).toBe(2)
    expect(step(9, { 101: 1, 102: 3 })).toBe(3)
    expect(step(1, { 101: 1, 102: 3 })).toBe(1)
    expect(step(3, { 101: 2, 102: 3 })).toBe(1)
    expect(step(Number.NaN, { 101: 1 })).toBe(0)
    expect(step(-2, { 101: 1 })).toBe(0)
    expect(reachableStep(2, [category], kept({ 101: 1 }, 7))).toBe(0)
  })
})

describe('what is sent', () => {
  test('is what lies on the way, once it has come to its end', () => {
    expect(completeAnswers(category, kept({ 101: 1 }))).toBeUndefined()
    expect(completeAnswers(category, kept({ 101: 1, 102: 3 }))).toBeUndefined()
    expect(completeAnswers(category, kept({ 101: 1, 102: 3, 103: 5 }))).toEqual({ 101: 1, 102: 3, 103: 5 })
    expect(completeAnswers(category, kept({ 101: 2, 102: 3, 103: 5 }))).toEqual({ 101: 2 })
    expect(completeAnswers(category, kept({ 101: 77 }))).toBeUndefined()
  })
})

test('danger is seen in what was said on the way, and in nothing else', () => {
  expect(hintsAtDanger(category, kept({ 101: 1, 102: 4 }))).toBe(true)
  expect(hintsAtDanger(category, kept({ 101: 1, 102: 3 }))).toBe(false)
  expect(hintsAtDanger(category, kept({ 101: 2, 102: 4 }))).toBe(false)
  expect(hintsAtDanger(undefined, kept({ 102: 4 }))).toBe(false)
  expect(hintsAtDanger(category, kept({ 101: 1, 102: 4 }), 1)).toBe(false)
})

test('an urgent answer puts the numbers before the next step until the reader goes on, and again when it is given anew', () => {
  const urgent = kept({ 101: 1, 102: 6, 103: 5 })
  expect(callsFirst(category, kept({ 101: 1, 102: 4, 103: 5 }))).toBeUndefined()
  expect(callsFirst(category, urgent, 2)).toBeUndefined()
  expect(callsFirst(category, urgent, 3)).toBe(102)
  expect(callsFirst(category, urgent)).toBe(102)
  const on = goneOn(urgent, 102)
  expect(callsFirst(category, on, 3)).toBeUndefined()
  expect(callsFirst(category, on)).toBeUndefined()
  const [, question] = category.therapy_filter_questions
  expect(question && callsFirst(category, withAnswer(category, on, question, 6))).toBe(102)
  expect(callsFirst(undefined, urgent)).toBeUndefined()
})

test('answers are kept until they are forgotten, and what is no answer counts for none', () => {
  const kept = new Map<string, string>()
  const storage: TextStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
  expect(readAnswers(storage)).toBeUndefined()
  keepAnswers({ categoryId: 2, answers: { 201: 20_101 } }, storage)
  expect(readAnswers(storage)).toEqual({ categoryId: 2, answers: { 201: 20_101 } })
  for (const odd of [
    '',
    '{',
    'null',
    '[]',
    '{"categoryId":"2","answers":{}}',
    '{"categoryId":2,"answers":{"1":"x"}}',
  ]) {
    storage.setItem(`${tabTextPrefix}guidedSearch`, odd)
    expect(readAnswers(storage)).toBeUndefined()
  }
  forgetAnswers(storage)
  expect([...kept]).toEqual([])
})

test('answers last as long as the page where the reader’s settings forbid storage', () => {
  const get = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, get })
  try {
    expect(readAnswers()).toBeUndefined()
    keepAnswers({ categoryId: 2, answers: { 201: 20_101 } })
    expect(readAnswers()).toEqual({ categoryId: 2, answers: { 201: 20_101 } })
    forgetAnswers()
    expect(readAnswers()).toBeUndefined()
  } finally {
    Reflect.deleteProperty(globalThis, 'sessionStorage')
  }
})
