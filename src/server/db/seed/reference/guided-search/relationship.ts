import { safetyQuestion } from './safety.ts'
import type { GuidedCategory } from './types.ts'

/** Therapy types with the other person in the room: a risk for a client who is afraid of them. */
const together = [8, 9]

export const relationship: GuidedCategory = {
  category_id: 2,
  name: 'Problems in my relationship',
  description: 'With a partner, a family, a child, or with being close to people at all.',
  questions: [
    {
      question_id: 201,
      question_name: 'Which relationship is it about?',
      type: 1,
      answers: [
        {
          title: 'My partner and I',
          because: 'it is about you and your partner',
          scores: { 8: 4, 9: 1 },
          issue_id: 25,
        },
        {
          title: 'A relationship that is ending, or has ended',
          because: 'a relationship is ending or has ended',
          scores: { 13: 3, 6: 2, 8: 1 },
          issue_id: 26,
        },
        {
          title: 'My family',
          because: 'it is about your family',
          scores: { 9: 5 },
          issue_id: 29,
        },
        {
          title: 'A child, and being a parent',
          because: 'it is about being a parent',
          scores: { 9: 4, 1: 1 },
          issue_id: 30,
        },
        {
          title: 'Sex and closeness',
          because: 'it is about closeness',
          scores: { 8: 3, 5: 1, 7: 1 },
          issue_id: 28,
        },
        {
          title: 'Being close to people in general',
          because: 'being close to people is hard for you',
          scores: { 17: 4, 12: 2, 5: 2 },
          issue_id: 15,
        },
      ],
    },
    {
      question_id: 202,
      question_name: 'Who would come to the sessions?',
      type: 2,
      answers: [
        {
          title: 'Only I',
          because: 'you would come on your own',
          scores: { 13: 2, 17: 2, 6: 1, 5: 1 },
        },
        {
          title: 'My partner and I',
          because: 'your partner would come too',
          scores: { 8: 6 },
        },
        {
          title: 'Several of us',
          because: 'several of you would come',
          scores: { 9: 6 },
        },
        { title: 'I do not know yet', because: 'it is open who would come', scores: { 7: 2, 9: 1 } },
      ],
    },
    {
      question_id: 203,
      question_name: 'What happens when it gets difficult?',
      type: 1,
      answers: [
        {
          title: 'We argue and cannot stop',
          because: 'you argue and cannot stop',
          scores: { 8: 2, 3: 2, 9: 1 },
        },
        {
          title: 'We go quiet and drift apart',
          because: 'you go quiet and drift apart',
          scores: { 8: 2, 6: 1, 13: 1 },
        },
        {
          title: 'I give in and lose myself',
          because: 'you give in and lose yourself',
          scores: { 17: 3, 12: 2, 10: 1 },
        },
        {
          title: 'The same happens with different people',
          because: 'the same happens with different people',
          scores: { 12: 3, 5: 3, 17: 2 },
        },
        {
          title: 'Trust has been broken',
          because: 'trust has been broken',
          scores: { 8: 2, 7: 2 },
          issue_id: 27,
        },
      ],
    },
    {
      question_id: 204,
      question_name: 'What would you most like to be different?',
      type: 2,
      answers: [
        {
          title: 'That we can talk with each other again',
          because: 'you want to be able to talk with each other again',
          scores: { 8: 2, 9: 2 },
        },
        {
          title: 'That I understand my part in it',
          because: 'you want to understand your part in it',
          scores: { 5: 3, 17: 3 },
        },
        {
          title: 'That I know whether to stay or go',
          because: 'you want to know whether to stay or go',
          scores: { 19: 3, 14: 2, 6: 1 },
        },
        {
          title: 'That I find my feet again on my own',
          because: 'you want to find your feet again on your own',
          scores: { 13: 3, 6: 2 },
        },
        {
          title: 'That there is a clear next step',
          because: 'you want a clear next step',
          scores: { 14: 4, 1: 1 },
        },
      ],
    },
    {
      question_id: 205,
      question_name: 'Do you feel safe with the people around you?',
      hint: 'Your answer is not stored.',
      type: 2,
      answers: [
        { title: 'Yes', scores: {} },
        {
          title: 'Not always',
          because: 'you do not always feel safe',
          scores: { 6: 2, 7: 2 },
          excludes: together,
          issue_id: 34,
          danger: 'watch',
        },
        {
          title: 'No, I am afraid of somebody',
          because: 'you are afraid of somebody',
          scores: { 6: 3, 7: 3 },
          excludes: together,
          issue_id: 34,
          danger: 'now',
        },
        { title: 'I would rather not say', scores: {}, danger: 'watch' },
      ],
    },
    safetyQuestion(206),
  ],
}
