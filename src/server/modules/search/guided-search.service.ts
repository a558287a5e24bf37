import type { AssistanceCategory, RecommendationRequest, RecommendedTherapy } from '#contract/search.ts'
import type { Deps } from '../../deps.ts'
import { invalidField } from '../../errors.ts'
import { type Question, reasonOf, recommend, walk } from './guided-search.rules.ts'
import * as store from './guided-search.store.ts'

export type GuidedSearch = ReturnType<typeof createGuidedSearch>

/** Questions that lead a client to a kind of therapy. No answer is stored. */
export function createGuidedSearch({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  return {
    /** The questions by category, without the points of their answers. */
    async categories(): Promise<AssistanceCategory[]> {
      return (await store.readCategories(db)).map((category) => ({
        therapy_category_id: category.id,
        value: category.id - 1,
        category_name: category.name,
        description: category.description,
        therapy_filter_questions: category.questions.map((question) => ({
          therapy_filter_question_id: question.id,
          question_name: question.name,
          hint: question.hint,
          type: question.type,
          therapy_filter_answers: question.answers.map((answer) => ({
            therapy_filter_answer_id: answer.id,
            title: answer.title,
            trigger_next: answer.trigger_next,
            shows_danger: answer.shows_danger,
            danger: answer.danger,
          })),
        })),
      }))
    },

    /**
     * Recommends a kind of therapy for some answers.
     * @throws 422 for an unknown category, an unanswered question, or an answer to another question
     */
    async recommend(request: RecommendationRequest): Promise<RecommendedTherapy> {
      const [category] = await store.readCategories(db, request.therapy_category_id)
      if (!category) throw invalidField('therapy_category_id', 'Choose what it is about.')
      const walked = walk(category.questions, givenOf(request.question_answer_array, category.questions))
      if ('unanswered' in walked) {
        const question = category.questions.find((each) => each.id === walked.unanswered)
        throw invalidField('question_answer_array', `Please answer: ${question?.name}`)
      }
      if ('foreign' in walked) {
        throw invalidField('question_answer_array', 'There is an answer to a question that was not asked.')
      }
      const mentioned = [...new Set(walked.answers.flatMap((answer) => Object.keys(answer.scores)))]
      const offered = await store.readOffered(db, mentioned.map(Number), clock.now())
      const found = recommend(walked.answers, new Set(offered))
      if (!found) {
        throw invalidField(
          'question_answer_array',
          'We could not find a match for these answers. Please try others.',
        )
      }
      const therapy = await store.readTherapyType(db, found.therapyTypeId)
      return {
        image: therapy.image,
        therapy_type_description: therapy.description,
        therapy_type_name: therapy.name,
        therapy_type_id: therapy.id,
        issue_id: found.issueId,
        reason: reasonOf(found.because, therapy.fits),
      }
    },
  }
}

/** Answer ids by question id, or by place counted from 1, as sent. A list or a key 0 means that all are by place from 0. */
function givenOf(
  sent: RecommendationRequest['question_answer_array'],
  questions: readonly Question[],
): Map<number, number> {
  const given = Object.entries(sent).map(([key, answer]): [number, number] => [Number(key), answer])
  if (!given.some(([key]) => key === 0)) return new Map(given)
  // A place without a question becomes a key that belongs to none.
  return new Map(given.map(([place, answer]) => [questions[place]?.id ?? -place, answer]))
}
