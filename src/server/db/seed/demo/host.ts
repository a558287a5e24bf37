import { PSYCHOTHERAPIST } from '../reference/professions.ts'
import type { Given } from './practitioner.ts'
import { practices } from './practices.ts'

/** Whose account therapist@demo.test is: a full profile with something free on most days. */
export const host = {
  practice: practices.find((practice) => practice.providerTypeId === PSYCHOTHERAPIST),
  gender: 'female',
  originKey: 'english',
  name: ['Grace', 'Holloway'],
  email: 'therapist@demo.test',
  age: 47,
  yearsOfExperience: 14,
  formats: 'both',
  room: 'hearth',
  pattern: 'always',
  availableNow: true,
  reviewsAtLeast: 14,
  shortDescription:
    'Thoughtful, unhurried psychotherapy for people who have been holding it together for a long time.',
  about: [
    'I am a psychotherapist, and before that I was a midwife for nine years. Both jobs taught me that people manage extraordinary things when somebody stays in the room with them, and that nobody can be hurried.',
    'Most of the people I see look fine from the outside. They run teams, raise children, look after parents, and lie awake at four. Some come because of anxiety or low mood, some because a relationship has ended or should, and some because of a childhood that they have never told anybody about. You do not need to know which of these you are.',
    'My training is integrative with a psychodynamic heart: I am curious about where a pattern began, and just as curious about what you will do on Monday. I speak when I have something to say, I ask when I do not understand, and I try to notice what you are working hard not to mention. If something I say is wrong, I would like you to tell me.',
    'In a first session we talk about what brings you now and what you would like to be different. There is time for your questions, and nothing has to be decided at the end of it.',
    'I see people on most days, online or in my consulting room, and I keep a few Saturday hours for those whose weeks are full. When I am not working I swim outdoors, slowly, in all seasons.',
  ].join('\n\n'),
} as const satisfies Given & { name: readonly [string, string]; email: string }
