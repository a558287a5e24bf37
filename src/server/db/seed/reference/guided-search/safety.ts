import type { GuidedQuestion } from './types.ts'

/** Asked last in every category. It never speaks for or against a kind of therapy. */
export function safetyQuestion(question_id: number): GuidedQuestion {
  return {
    question_id,
    question_name: 'Have you had thoughts of hurting yourself, or of not wanting to live?',
    hint: 'Many people have. Your answer is not stored, and it changes nothing about what we suggest.',
    type: 2,
    answers: [
      { title: 'No', scores: {} },
      { title: 'Now and then, but I would not act on it', scores: {}, shows_danger: true },
      { title: 'Yes, and I am afraid that I might act on it', scores: {}, shows_danger: true },
      { title: 'I would rather not say', scores: {}, shows_danger: true },
    ],
  }
}
