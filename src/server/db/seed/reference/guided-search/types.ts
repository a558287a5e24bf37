/** How much an answer speaks for therapy types, by the type's id. */
export type Scores = Readonly<Record<number, number>>

/** An answer of the guided search. */
export interface GuidedAnswer {
  title: string
  /** Completes "You told us that …"; absent where it says nothing about the person. */
  because?: string
  scores: Scores
  /** Therapy types that are never suggested after this answer; other answers do not bring them back. */
  excludes?: readonly number[]
  /** The issue that this answer is about. */
  issue_id?: number
  /** `now`: the emergency numbers come before the next step. `watch`: they are shown beside the questions. */
  danger?: 'now' | 'watch'
}

/** A question with its possible answers. */
export interface GuidedQuestion {
  question_id: number
  question_name: string
  hint?: string
  /** 1: large cards, one to a line. 2: a list. */
  type: 1 | 2
  answers: readonly GuidedAnswer[]
}

/** One of the four ways in. Ids are the value on the wire plus one. */
export interface GuidedCategory {
  category_id: number
  name: string
  description: string
  questions: readonly GuidedQuestion[]
}

/** A question's answers have ids of their own: question 101 has answers 10101, 10102 and so on. */
export function answerId(question: GuidedQuestion, at: number): number {
  return question.question_id * 100 + at + 1
}
