import { safetyQuestion } from './safety.ts'
import type { GuidedCategory } from './types.ts'

export const medication: GuidedCategory = {
  category_id: 4,
  name: 'I want to discuss medication',
  description: 'Starting, changing or stopping medicine, or finding out whether it could help.',
  questions: [
    {
      question_id: 401,
      question_name: 'What would you like to talk about?',
      type: 1,
      answers: [
        {
          title: 'Whether medicine could help me',
          because: 'you want to know whether medicine could help',
          scores: { 18: 5 },
          issue_id: 41,
        },
        {
          title: 'The medicine that I take',
          because: 'you want to talk about the medicine that you take',
          scores: { 18: 6 },
          issue_id: 41,
        },
        {
          title: 'Changing or stopping it',
          because: 'you think about changing or stopping medicine',
          scores: { 18: 6 },
          issue_id: 41,
        },
        {
          title: 'An assessment, such as for ADHD',
          because: 'you would like an assessment',
          scores: { 18: 6 },
          issue_id: 37,
        },
        {
          title: 'Talking therapy instead of medicine',
          because: 'you would like talking therapy instead of medicine',
          scores: { 1: 5, 7: 3, 6: 2 },
        },
      ],
    },
    {
      question_id: 402,
      question_name: 'What is it mainly for?',
      type: 1,
      answers: [
        { title: 'Mood', because: 'it is about your mood', scores: { 18: 1, 1: 1, 13: 1 }, issue_id: 2 },
        { title: 'Worry or panic', because: 'it is about worry', scores: { 18: 1, 1: 2 }, issue_id: 1 },
        { title: 'Sleep', because: 'it is about sleep', scores: { 18: 1, 1: 2 }, issue_id: 9 },
        {
          title: 'Focus and restlessness',
          because: 'it is about focus and restlessness',
          scores: { 18: 2, 1: 1 },
          issue_id: 37,
        },
        {
          title: 'Great ups and downs',
          because: 'your mood has great ups and downs',
          scores: { 18: 3, 3: 1 },
          issue_id: 39,
        },
        { title: 'Something else', scores: { 18: 1, 7: 1 } },
      ],
    },
    {
      question_id: 403,
      question_name: 'Are you taking medicine for your mental health?',
      hint: 'Please do not stop or change it on your own: a doctor can do that with you.',
      type: 2,
      answers: [
        { title: 'Yes', scores: { 18: 1 } },
        { title: 'I used to', scores: { 18: 1 } },
        { title: 'No', scores: { 7: 1 } },
      ],
    },
    safetyQuestion(404),
  ],
}
