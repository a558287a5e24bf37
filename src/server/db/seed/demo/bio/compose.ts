import { PSYCHIATRIST } from '../../reference/professions.ts'
import { createDeck, type Deck, type Random } from '../random.ts'
import { approachSentences, blendSentences } from './approaches.ts'
import { experienceSentences, trainingPlaces, workSentences } from './experience.ts'
import { expand, type Fillings } from './expand.ts'
import { openings } from './openings.ts'
import { approachNames, issuePhrases } from './phrases.ts'
import * as practical from './practical.ts'
import * as sessions from './sessions.ts'
import { shortDescriptions } from './shorts.ts'

/** What a bio has to agree with. */
export interface BioSubject {
  providerTypeId: number
  /** The profession in lower case, without article. */
  noun: string
  age: number
  yearsOfExperience: number
  qualifiedYear: number
  /** Where they live or see people. */
  place: string
  /** City of the first room, null without one. */
  city: string | null
  online: boolean
  abroad: boolean
  hours: 'evenings' | 'weekend' | 'few' | 'closed' | 'any'
  issueIds: readonly number[]
  therapyTypeIds: readonly number[]
  /** Names of the languages besides English. */
  languages: readonly string[]
  seesYoungPeople: boolean
  worksWithInsurance: boolean
}

export interface BioWriter {
  /** Paragraphs separated by an empty line, 130 to 320 words. */
  about(subject: BioSubject, random: Random): string
  /** One or two sentences for a card. */
  short(subject: BioSubject, random: Random): string
}

type Part =
  | 'opening'
  | 'work'
  | 'approach'
  | 'experience'
  | 'first'
  | 'style'
  | 'personal'
  | 'where'
  | 'extras'
  | 'closing'

/** Ways to tell it: each a list of paragraphs. */
const structures: readonly (readonly (readonly Part[])[])[] = [
  [
    ['opening', 'work'],
    ['approach', 'approach', 'experience'],
    ['first', 'style'],
    ['where', 'extras', 'personal', 'closing'],
  ],
  [
    ['opening', 'style', 'work'],
    ['experience', 'approach', 'approach'],
    ['first', 'where', 'extras', 'closing'],
  ],
  [
    ['work', 'style'],
    ['experience', 'approach', 'approach'],
    ['first', 'first'],
    ['personal', 'where', 'extras', 'closing'],
  ],
  [
    ['opening', 'experience'],
    ['work', 'approach', 'style', 'approach'],
    ['first', 'where', 'extras'],
  ],
  [
    ['opening', 'work', 'experience', 'approach'],
    ['style', 'first', 'approach'],
    ['where', 'extras'],
    ['personal', 'closing'],
  ],
  [
    ['experience', 'work', 'approach'],
    ['style', 'approach', 'first'],
    ['where', 'extras', 'personal', 'closing'],
  ],
  [
    ['opening'],
    ['work', 'approach', 'approach'],
    ['experience', 'personal', 'style'],
    ['first', 'where', 'extras', 'closing'],
  ],
  [
    ['opening', 'first'],
    ['work', 'experience', 'style'],
    ['approach', 'approach'],
    ['where', 'extras', 'personal'],
  ],
  [
    ['opening', 'work', 'approach', 'approach', 'style'],
    ['experience', 'first', 'where', 'extras', 'closing'],
  ],
  [
    ['work', 'experience'],
    ['approach', 'style', 'approach'],
    ['personal', 'first'],
    ['where', 'extras', 'closing'],
  ],
]

const tagged = /^@([a-z]+) /

/** Whether a sentence that carries a mark such as `@late` is true of this person. */
function fits(sentence: string, subject: BioSubject): boolean {
  if (!sentence.startsWith('@')) return true
  const tag = tagged.exec(sentence)?.[1]
  if (tag === undefined) return true
  if (tag === 'late') return subject.age - subject.yearsOfExperience >= 36
  if (tag === 'senior') return subject.yearsOfExperience >= 7
  if (tag === 'family') return subject.age >= 40 && subject.age <= 58
  if (tag === 'room') return subject.city !== null
  if (tag === 'uk') return !subject.abroad
  if (tag === 'online') return subject.online
  if (tag === 'spoken') return !subject.languages.includes('British Sign Language')
  if (tag === 'open') return subject.hours !== 'closed'
  throw new RangeError(`Unknown mark @${tag}`)
}

const numberWords =
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty']

/** A whole number below 60 in words. */
function inWords(value: number): string {
  const word = numberWords[value]
  if (word !== undefined) return word
  const rest = value % 10
  return `${tens[Math.floor(value / 10)] ?? ''}${rest === 0 ? '' : `-${numberWords[rest] ?? ''}`}`
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}

/** Bios that are compared with each other; beyond that, comparing would cost more than it is worth. */
const COMPARED = 600

/** A bio while it is put together. */
interface Draft {
  subject: BioSubject
  own: Random
  /** Ways of working not yet spoken of. */
  approaches: number[]
  /** Whether two of them have been named side by side. */
  blended: boolean
}

const countWords = (text: string) => text.split(' ').length

/** A writer for a whole directory: it spreads its sentences, so that two bios share as few as possible. */
export function createBioWriter(random: Random): BioWriter {
  const decks = new Map<readonly string[], Deck<string>>()
  const draw = (bank: readonly string[], subject: BioSubject): string => {
    let deck = decks.get(bank)
    if (deck === undefined) {
      deck = createDeck(random, bank)
      decks.set(bank, deck)
    }
    return deck.drawWhere((sentence) => fits(sentence, subject)).replace(tagged, '')
  }
  const places = createDeck(random, trainingPlaces)

  const fillingsFor = (subject: BioSubject, own: Random): Fillings => {
    const [a = 'a hard time', b = 'a hard time', c = b] = own
      .shuffle(subject.issueIds)
      .slice(0, 3)
      .map((id) => issuePhrases[id] ?? '')
    const [one = '', two = one] = own.shuffle(subject.therapyTypeIds).map((id) => approachNames[id] ?? '')
    return {
      A: a,
      B: b,
      C: c,
      approach1: one,
      approach2: two,
      noun: subject.noun,
      aNoun: `${/^[aeiou]/.test(subject.noun) ? 'an' : 'a'} ${subject.noun}`,
      years: inWords(subject.yearsOfExperience),
      qualified: String(subject.qualifiedYear),
      trained: places.draw(),
      place: subject.place,
      where: subject.place,
      city: subject.city ?? '',
      languages: listed(subject.languages),
    }
  }

  const isMedical = (subject: BioSubject) => subject.providerTypeId === PSYCHIATRIST
  const ownOrGeneral = (
    banks: Readonly<Record<number, readonly string[]>>,
    ownChance: number,
    { subject, own }: Draft,
  ): string => {
    const special = banks[subject.providerTypeId]
    return draw(
      special && (isMedical(subject) || own.chance(ownChance)) ? special : (banks[0] ?? []),
      subject,
    )
  }
  const firstSessions = (subject: BioSubject) =>
    isMedical(subject) ? sessions.firstAssessmentSentences : sessions.firstSessionSentences

  /** The sentences of each part. */
  const parts: Readonly<Record<Part, (draft: Draft) => string[]>> = {
    opening: (draft) => [ownOrGeneral(openings, 0.5, draft)],
    work({ subject, own }) {
      const work = draw(workSentences, subject)
      return own.chance(0.4) ? [work, draw(sessions.styleSentences, subject)] : [work]
    },
    experience: (draft) => [ownOrGeneral(experienceSentences, 0.45, draft)],
    approach(draft) {
      const id = draft.approaches.shift()
      if (id === undefined) return []
      // Two names side by side only where there are two to name, and once.
      if (
        draft.approaches.length > 0 &&
        !isMedical(draft.subject) &&
        !draft.blended &&
        draft.own.chance(0.3)
      ) {
        draft.blended = true
        return [draw(blendSentences, draft.subject)]
      }
      return [draw(approachSentences[id] ?? blendSentences, draft.subject)]
    },
    first: ({ subject }) => [draw(firstSessions(subject), subject)],
    style: ({ subject }) => [draw(sessions.styleSentences, subject)],
    personal: ({ subject }) => [draw(sessions.personalSentences, subject)],
    where({ subject }) {
      if (subject.abroad) return [draw(practical.livingAbroad, subject)]
      if (subject.city === null) return [draw(practical.onlineOnly, subject)]
      return [draw(subject.online ? practical.bothFormats : practical.inPersonOnly, subject)]
    },
    extras({ subject, own }) {
      const extras: string[] = []
      if (subject.languages.length > 0) extras.push(draw(practical.languageSentences, subject))
      if (subject.hours !== 'any' || own.chance(0.35)) {
        extras.push(draw(practical.timeSentences[subject.hours], subject))
      }
      if (subject.seesYoungPeople && own.chance(0.6)) extras.push(draw(practical.youngSentences, subject))
      if (subject.worksWithInsurance && own.chance(0.3))
        extras.push(draw(practical.insuranceSentences, subject))
      return extras
    },
    closing: ({ subject }) => [draw(sessions.closingSentences, subject)],
  }

  /** The sentences of a bio before anything is filled in, by paragraph. */
  const compose = (subject: BioSubject, own: Random): string[][] => {
    const draft: Draft = { subject, own, approaches: own.shuffle(subject.therapyTypeIds), blended: false }
    const paragraphs = own
      .pick(structures)
      .map((names) => names.flatMap((name) => parts[name](draft)))
      .filter((sentences) => sentences.length > 0)
    const more = createDeck(own, [
      sessions.styleSentences,
      firstSessions(subject),
      sessions.personalSentences,
    ])
    const target = own.int(150, 230)
    const middle = Math.floor(paragraphs.length / 2)
    let words = countWords(paragraphs.flat().join(' '))
    for (let index = 0; words < target; index++) {
      const sentence = draw(more.draw(), subject)
      paragraphs[index % 2 === 0 ? middle : 0]?.push(sentence)
      words += countWords(sentence)
    }
    return paragraphs
  }

  // Which bios, by number, a sentence has been used in.
  const usedIn = new Map<string, number[]>()
  let written = 0
  /** The most sentences that a draft would have in common with any one bio before it. */
  const mostShared = (paragraphs: string[][]): number => {
    const shared = new Map<number, number>()
    for (const sentence of paragraphs.flat()) {
      for (const bio of usedIn.get(sentence) ?? []) shared.set(bio, (shared.get(bio) ?? 0) + 1)
    }
    return Math.max(0, ...shared.values())
  }

  return {
    about(subject, own) {
      const fillings = fillingsFor(subject, own)
      let chosen = compose(subject, own)
      if (written < COMPARED) {
        let least = mostShared(chosen)
        for (let attempt = 0; attempt < 12 && least > 2; attempt++) {
          const next = compose(subject, own)
          const shared = mostShared(next)
          if (shared < least) {
            chosen = next
            least = shared
          }
        }
        for (const sentence of chosen.flat()) usedIn.set(sentence, [...(usedIn.get(sentence) ?? []), written])
        written++
      }
      return chosen
        .map((sentences) => sentences.map((sentence) => expand(sentence, fillings, own)).join(' '))
        .join('\n\n')
    },
    short(subject, own) {
      return expand(draw(shortDescriptions, subject), fillingsFor(subject, own), own)
    },
  }
}
