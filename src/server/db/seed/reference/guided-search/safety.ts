import type { GuidedQuestion } from './types.ts'

/** More than all other answers together. */
const decisive = 1000

/** The last question of every category. A client who fears to act on such thoughts is always referred to a doctor. */
export function safetyQuestion(question_id: number): GuidedQuestion {
  return {
    question_id,
    question_name: 'Have you had thoughts of hurting yourself, or of not wanting to live?',
    hint: 'Many people have. Your answer is not stored.',
    type: 2,
    answers: [
      { title: 'No', scores: {} },
      { title: 'Now and then, but I would not act on it', scores: {}, danger: 'watch' },
      {
        title: 'Yes, and I am afraid that I might act on it',
        because: 'you are afraid of what you might do, and a doctor should hear that soon',
        scores: { 18: decisive },
        danger: 'now',
      },
      { title: 'I would rather not say', scores: {}, danger: 'watch' },
    ],
  }
}
