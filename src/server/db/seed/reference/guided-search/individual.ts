import { safetyQuestion } from './safety.ts'
import type { GuidedCategory } from './types.ts'

// Weights follow what NICE recommends first for each difficulty (CG113 and CG159 anxiety, NG222 depression, CG31 OCD),
// then what people prefer and how long it has lasted.
export const individual: GuidedCategory = {
  category_id: 1,
  name: 'Individual difficulties',
  description: 'Worry, low mood, stress, sleep, self-esteem, grief, and whatever else is yours to carry.',
  questions: [
    {
      question_id: 101,
      question_name: 'What weighs on you most at the moment?',
      hint: 'Choose what comes closest. It need not fit exactly.',
      type: 1,
      answers: [
        {
          title: 'Worry, fear or panic',
          because: 'worry or fear takes up much of your day',
          scores: { 1: 5, 2: 2, 11: 1 },
          issue_id: 1,
        },
        {
          title: 'Feeling low, empty or tired of everything',
          because: 'you feel low and things have lost their colour',
          scores: { 1: 3, 13: 3, 11: 2, 5: 1 },
          issue_id: 2,
        },
        {
          title: 'Being hard on myself',
          because: 'you are hard on yourself',
          scores: { 10: 5, 12: 2, 6: 1 },
          issue_id: 12,
        },
        {
          title: 'Feelings that come fast and strong',
          because: 'your feelings come fast and strong',
          scores: { 3: 6, 17: 2, 12: 1 },
          issue_id: 16,
        },
        {
          title: 'Thoughts or habits I cannot stop',
          because: 'there are thoughts or habits that you cannot stop',
          scores: { 1: 5, 2: 3 },
          issue_id: 6,
        },
        {
          title: 'A loss, or a change I did not choose',
          because: 'you are living with a loss or a change that you did not choose',
          scores: { 6: 3, 13: 4, 19: 3 },
          issue_id: 13,
        },
        {
          title: 'I cannot put it into words',
          because: 'it is hard to put into words',
          scores: { 6: 3, 15: 3, 7: 2 },
        },
      ],
    },
    {
      question_id: 102,
      question_name: 'How long has it been like this?',
      type: 2,
      answers: [
        { title: 'Some weeks', because: 'it began not long ago', scores: { 14: 3, 1: 1, 6: 1 } },
        { title: 'Some months', because: 'it has gone on for some months', scores: { 1: 1, 13: 1, 7: 1 } },
        {
          title: 'It comes back again and again',
          because: 'it comes back again and again',
          scores: { 11: 4, 17: 2, 5: 1 },
        },
        {
          title: 'As long as I can remember',
          because: 'it has been there as long as you can remember',
          scores: { 12: 4, 5: 3, 17: 1 },
        },
      ],
    },
    {
      question_id: 103,
      question_name: 'What would you like most from a session?',
      type: 1,
      answers: [
        {
          title: 'Practical things to try',
          because: 'you would like practical things to try',
          scores: { 1: 4, 3: 1, 14: 2 },
        },
        {
          title: 'To understand where it comes from',
          because: 'you want to understand where it comes from',
          scores: { 5: 5, 17: 2, 12: 2 },
        },
        {
          title: 'To be listened to, without advice',
          because: 'you want to be listened to, without advice',
          scores: { 6: 5, 19: 2 },
        },
        {
          title: 'To become calmer in body and mind',
          because: 'you want to become calmer in body and mind',
          scores: { 11: 4, 2: 2, 10: 1 },
        },
        {
          title: 'To express it without many words',
          because: 'you would rather express it without many words',
          scores: { 15: 6, 20: 3 },
        },
        {
          title: 'A mix of these',
          because: 'you would like a mix of ways',
          scores: { 7: 5 },
        },
      ],
    },
    {
      question_id: 104,
      question_name: 'Would you like something to do between sessions?',
      type: 2,
      answers: [
        {
          title: 'Yes, exercises are fine',
          because: 'exercises between sessions suit you',
          scores: { 1: 2, 11: 1, 3: 1, 10: 1 },
        },
        { title: 'Small steps at most', because: 'small steps suit you', scores: { 14: 2, 2: 2, 7: 1 } },
        { title: 'No, I want to talk', because: 'you would rather talk', scores: { 5: 2, 6: 2, 19: 1 } },
      ],
    },
    safetyQuestion(105),
  ],
}
