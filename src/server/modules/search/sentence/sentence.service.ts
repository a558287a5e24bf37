import { setImmediate as pause } from 'node:timers/promises'
import type { SentenceAnswer, SentenceFilters } from '#contract/search-sentence.ts'
import { radii } from '#contract/places.ts'
import { dayText, hours, minutes } from '../../../clock.ts'
import type { Deps } from '../../../deps.ts'
import type { Gazetteer as Places } from '../../../integrations/gazetteer/port.ts'
import { remembered } from '../../../remembered.ts'
import type { Practitioners } from '../../practitioners/practitioners.service.ts'
import { nameWords } from '../names.rules.ts'
import { dayNumberInLondon } from '../search.rules.ts'
import * as store from '../search.store.ts'
import { buildGazetteer } from './gazetteer.rules.ts'
import { isBesideName, possibleNames, type Run, runsOfName } from './names-in.rules.ts'
import { placeReader } from './places.rules.ts'
import { type LeftPart, type Reading, rangeOf, readSentence } from './sentence.rules.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  practitioners: Pick<Practitioners, 'referenceLists'>
  gazetteer: Pick<Places, 'towns' | 'find'>
}

/** Most runs of a sentence that are looked up as a name. */
const mostLookedUp = 5

export type Sentences = ReturnType<typeof createSentences>

/** Reads sentences as filters. A sentence stays in the process: no statement, log line or trace has a word of it. */
export function createSentences({ db, clock, practitioners, gazetteer: places }: Dependencies) {
  // The lists change with releases alone.
  const gazetteer = remembered(clock, hours(24), async () =>
    buildGazetteer(
      await practitioners.referenceLists(db),
      places.towns().flatMap(({ name, label }) => [name, label]),
      () => pause(),
    ),
  )
  // Compared here, since a database may log the values of its statements.
  const wordsOfNames = remembered(clock, minutes(1), async () => {
    const words = await store.readAllWords(db)
    return new Map(words.map(({ id, word }) => [word, id]))
  })

  const readPlace = placeReader(places.find)

  return {
    async read(sentence: string): Promise<SentenceAnswer> {
      const today = dayNumberInLondon(clock.now())
      const known = await gazetteer()
      const read = (text: string) => readSentence(text, known, { today, readPlace })
      const whole = read(sentence)
      // "Holloway" is a town, and "Shona" a language: the name of one person comes before both.
      const full = whole.isDanger ? undefined : await fullNameIn(sentence)
      const rest = full && read(`${sentence.slice(0, full.start)}, ${sentence.slice(full.end)}`)
      const isNamed = rest !== undefined && isBesideName(rest.left)
      const reading = isNamed ? rest : whole
      const name = isNamed ? full : whole.isDanger ? undefined : await nameIn(whole.left)
      const left = reading.left.filter((part) => part !== name)
      const named = name && { text: name.text, filter: 'name' as const, id: null }
      return {
        filters: { ...filtersOf(reading), ...(name ? { name: name.text } : {}) },
        used: named ? [...reading.used, named] : reading.used,
        unused: left.map(({ text }) => text),
        ask: reading.ask
          ? {
              text: reading.ask.text,
              options: reading.ask.options.map((label) => ({ label, filters: nearTo(label) })),
            }
          : null,
        safety: reading.isDanger,
      }
    },
  }

  /** The run of words that are all in the name of one listed practitioner. */
  async function fullNameIn(sentence: string): Promise<Run | undefined> {
    const known = await wordsOfNames()
    const possible = runsOfName(sentence).flatMap((run) => {
      const ids = nameWords(run.text).map((word) => known.get(word))
      const exact = ids.filter((id) => id !== undefined)
      return exact.length > 1 && exact.length === ids.length ? [{ run, exact }] : []
    })
    for (const { run, exact } of possible.slice(0, mostLookedUp)) {
      if (await isListed(exact)) return run
    }
    return undefined
  }

  /** The part that is the name of a listed practitioner. */
  async function nameIn(left: readonly LeftPart[]): Promise<LeftPart | undefined> {
    const possible = possibleNames(left)
    if (possible.length === 0) return undefined
    const known = await wordsOfNames()
    for (const part of possible) {
      const ids = nameWords(part.text).map((word) => known.get(word))
      const exact = ids.filter((id) => id !== undefined)
      if (exact.length === 0 || exact.length < ids.length) continue
      if (await isListed(exact)) return part
    }
    return undefined
  }

  /** Whether a listed practitioner's name has all of some words. */
  async function isListed(wordIds: readonly number[]): Promise<boolean> {
    const name = wordIds.map((id) => ({ exact: [id], close: [] }))
    return (await store.countMatches(db, { name }, clock.now())) > 0
  }
}

const nearTo = (label: string): SentenceFilters => ({ near: label, session_type: 'face_to_face' })

function filtersOf({ ids, values, price, days, near }: Reading): SentenceFilters {
  const { from, to } = rangeOf(days) ?? {}
  const within = near?.within
  return {
    ...Object.fromEntries(
      Object.entries(ids).map(([filter, each]) => [filter, each.toSorted((a, b) => a - b)]),
    ),
    ...(values as Pick<SentenceFilters, 'gender' | 'pronouns' | 'session_type'>),
    ...(price?.min === undefined ? {} : { min_price: price.min }),
    ...(price?.max === undefined ? {} : { max_price: price.max }),
    ...(near ? nearTo(near.label) : {}),
    ...(within === undefined ? {} : { within: radii.find((radius) => radius >= within) ?? radii.at(-1) }),
    ...(from === undefined ? {} : { date_from: dayText(from) }),
    ...(to === undefined ? {} : { date_to: dayText(to) }),
    ...(days === 'soon' ? { instant_booking: true as const } : {}),
  }
}
