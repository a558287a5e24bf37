import type { AssistanceCategory } from '#contract/search.ts'
import type { KeptAnswers } from './kept-answers.ts'

export type Question = AssistanceCategory['therapy_filter_questions'][number]
export type Answer = Question['therapy_filter_answers'][number]

/** The category that was chosen, as far as it is one. */
export function chosenCategory(
  categories: readonly AssistanceCategory[],
  kept: KeptAnswers | undefined,
): AssistanceCategory | undefined {
  return categories.find((category) => category.therapy_category_id === kept?.categoryId)
}

/** What was answered to a question, as far as it is one of its answers. */
export function answerTo(question: Question, kept: KeptAnswers | undefined): Answer | undefined {
  const id = kept?.answers[question.therapy_filter_question_id]
  return question.therapy_filter_answers.find((answer) => answer.therapy_filter_answer_id === id)
}

/** The questions up to the one that ends them by its answer, or to the first that is open. */
export function pathOf(category: AssistanceCategory, kept: KeptAnswers | undefined) {
  const path: { question: Question; answer: Answer | undefined }[] = []
  for (const question of category.therapy_filter_questions) {
    const answer = answerTo(question, kept)
    path.push({ question, answer })
    if (!answer?.trigger_next) break
  }
  return path
}

/**
 * The step that can be shown: 0 is the category, 1 the first question. One further than what has been answered is not
 * to be had.
 */
export function reachableStep(
  wanted: number,
  categories: readonly AssistanceCategory[],
  kept: KeptAnswers | undefined,
): number {
  const category = chosenCategory(categories, kept)
  if (!category) return 0
  return Math.max(0, Math.min(Math.trunc(wanted) || 0, pathOf(category, kept).length))
}

/** What is sent: the answers on the path alone, not those of a way that was left. Undefined while one is open. */
export function completeAnswers(
  category: AssistanceCategory,
  kept: KeptAnswers | undefined,
): Record<string, number> | undefined {
  const path = pathOf(category, kept)
  const sent: Record<string, number> = {}
  for (const { question, answer } of path) {
    if (!answer) return undefined
    sent[question.therapy_filter_question_id] = answer.therapy_filter_answer_id
  }
  return path.at(-1)?.answer?.trigger_next ? undefined : sent
}

/** Whether an answer to the first questions of the path, all of them by default, hints at danger. */
export function hintsAtDanger(
  category: AssistanceCategory | undefined,
  kept: KeptAnswers | undefined,
  count?: number,
): boolean {
  return (
    category !== undefined &&
    pathOf(category, kept)
      .slice(0, count)
      .some(({ answer }) => answer?.shows_danger)
  )
}

/**
 * The id of the first question of the path, before a step, whose answer puts the emergency numbers before everything
 * else. Undefined once the reader has gone on from there.
 */
export function callsFirst(
  category: AssistanceCategory | undefined,
  kept: KeptAnswers | undefined,
  step?: number,
): number | undefined {
  if (!category) return undefined
  return pathOf(category, kept)
    .slice(0, step && step - 1)
    .find(
      ({ question, answer }) =>
        answer?.danger === 'now' && !kept?.wentOn?.includes(question.therapy_filter_question_id),
    )?.question.therapy_filter_question_id
}

/** The answers with another one; a new answer is asked about anew. */
export function withAnswer(
  category: AssistanceCategory,
  kept: KeptAnswers | undefined,
  question: Question,
  answerId: number,
): KeptAnswers {
  const id = question.therapy_filter_question_id
  return {
    categoryId: category.therapy_category_id,
    answers: { ...kept?.answers, [id]: answerId },
    wentOn: (kept?.wentOn ?? []).filter((each) => each !== id),
  }
}

/** The answers of a reader who goes on after a question that asked for a call first. */
export function goneOn(kept: KeptAnswers, questionId: number): KeptAnswers {
  return { ...kept, wentOn: [...(kept.wentOn ?? []), questionId] }
}
