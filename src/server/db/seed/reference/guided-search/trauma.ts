import { safetyQuestion } from './safety.ts'
import type { GuidedCategory } from './types.ts'

/** Going back to memories waits until it is over. */
const processing = [4, 16, 12]

// Trauma-focused CBT and EMDR first, as in NICE NG116; steadying first if the client asks for it.
export const trauma: GuidedCategory = {
  category_id: 3,
  name: 'A traumatic event',
  description: 'Something that happened, lately or long ago, and that has not let go of you.',
  questions: [
    {
      question_id: 301,
      question_name: 'What kind of event was it?',
      hint: 'As much or as little as you want to say.',
      type: 1,
      answers: [
        {
          title: 'An accident, or something medical',
          because: 'an accident or something medical has stayed with you',
          scores: { 4: 3, 16: 3 },
          issue_id: 36,
        },
        {
          title: 'Violence or a threat',
          because: 'you went through violence or a threat',
          scores: { 16: 3, 4: 3 },
          issue_id: 32,
        },
        {
          title: 'Sexual violence',
          because: 'you went through sexual violence',
          scores: { 16: 3, 4: 3, 10: 1 },
          issue_id: 35,
        },
        {
          title: 'Something in childhood',
          because: 'it reaches back into your childhood',
          scores: { 12: 3, 4: 2, 17: 1, 16: 1 },
          issue_id: 33,
        },
        {
          title: 'A sudden loss',
          because: 'you lost somebody suddenly',
          scores: { 16: 2, 13: 2, 6: 2 },
          issue_id: 13,
        },
        {
          title: 'I would rather not say',
          because: 'you need not describe what happened',
          scores: { 4: 3, 6: 1 },
          issue_id: 32,
        },
      ],
    },
    {
      question_id: 302,
      question_name: 'When did it happen?',
      type: 2,
      answers: [
        {
          title: 'Within the last month',
          because: 'it happened not long ago',
          scores: { 6: 3, 16: 2 },
          // NICE NG116 begins with EMDR after a month, not before.
          excludes: [4],
        },
        { title: 'Some months ago', because: 'it was some months ago', scores: { 16: 2, 4: 2 } },
        { title: 'Years ago', because: 'it was years ago', scores: { 4: 2, 16: 2 } },
        {
          title: 'It went on for a long time',
          because: 'it went on for a long time',
          scores: { 12: 2, 4: 2, 3: 1 },
        },
      ],
    },
    {
      question_id: 303,
      question_name: 'How does it show most?',
      type: 1,
      answers: [
        {
          title: 'Pictures or memories that come back',
          because: 'pictures or memories come back',
          scores: { 4: 4, 16: 2 },
        },
        {
          title: 'I avoid places, people or things',
          because: 'you avoid what reminds you',
          scores: { 16: 4, 1: 1 },
        },
        {
          title: 'I am on edge, or cannot sleep',
          because: 'you are on edge',
          scores: { 16: 2, 11: 2, 4: 1 },
        },
        {
          title: 'I feel numb or far away',
          because: 'you feel numb or far away',
          scores: { 15: 2, 4: 1, 20: 2, 3: 1 },
        },
        {
          title: 'I blame myself or feel ashamed',
          because: 'you blame yourself',
          scores: { 10: 5, 16: 1 },
        },
      ],
    },
    {
      question_id: 304,
      question_name: 'How would you feel about speaking of what happened?',
      type: 2,
      answers: [
        { title: 'I am ready to', because: 'you feel ready to speak of it', scores: { 16: 3 } },
        {
          title: 'Not in detail',
          because: 'you would rather not go into detail',
          scores: { 4: 3, 15: 1 },
        },
        { title: 'Not in words', because: 'words are not the way for you just now', scores: { 15: 4, 4: 1 } },
        {
          title: 'I want to feel steadier first',
          because: 'you want to feel steadier first',
          scores: { 3: 3, 10: 2, 16: 1 },
        },
      ],
    },
    {
      question_id: 305,
      question_name: 'Is it over?',
      hint: 'Your answer is not stored.',
      type: 2,
      answers: [
        { title: 'Yes, I am safe now', scores: {} },
        {
          title: 'I am not sure',
          because: 'it may not be over yet',
          scores: { 6: 2, 7: 2 },
          excludes: processing,
          danger: 'watch',
        },
        {
          title: 'No, it is still happening',
          because: 'it is still happening',
          scores: { 6: 4, 7: 3 },
          excludes: processing,
          danger: 'now',
        },
      ],
    },
    safetyQuestion(306),
  ],
}
