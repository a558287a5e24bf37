import type { FilterData } from '#contract/practitioners/practitioners.ts'
import { type FilterOfKind, filtersOfKind, filterTable } from '#contract/search-filters.ts'
import {
  addPhrase,
  addPhrases,
  listed,
  noPhrases,
  type Phrases,
  type Spelling,
  spellingOf,
  vocabulary,
} from './phrases.rules.ts'
import { wordsOfTime } from './days.rules.ts'
import {
  afterDangerEndings,
  dangerEndings,
  dangerFillers,
  dangerPhrases,
  dangerUnless,
  harmlessAfter,
} from './words/danger.ts'
import {
  fillers,
  notTowns,
  ordinaryPlaces,
  ordinaryTowns,
  ordinaryWords,
  understood,
} from './words/fillers.ts'
import { issueWords } from './words/issues.ts'
import {
  anyFormat,
  formatWords,
  genderWords,
  insurerWords,
  languageWords,
  otherTownNames,
  possibleGenderWords,
  pronounWords,
  withoutFilter,
} from './words/others.ts'
import { providerWords, therapyWords } from './words/therapies.ts'

export type IdFilter = FilterOfKind<'ids'>
export type ValueFilter = FilterOfKind<'named' | 'choice' | 'format'>
export type ReferenceLists = Omit<FilterData, 'min_price' | 'max_price'>

/** What a phrase asks for. */
export type Meaning =
  | { kind: 'ids'; wanted: readonly { filter: IdFilter; id: number }[] }
  | { kind: 'value'; filter: ValueFilter; value: string }
  /** A gender, if it is the practitioner's. */
  | { kind: 'possible_gender'; value: string }
  | { kind: 'any_format' }
  /** Nothing that narrows a search. */
  | { kind: 'understood' }
  /** A wish that no filter stands for. */
  | { kind: 'without_filter' }

/** Everything that a sentence is compared with. */
export type Gazetteer = {
  phrases: Phrases<Meaning>
  towns: Phrases<true>
  ordinaryTowns: ReadonlySet<string>
  /** `at the end`: only where its clause ends, or goes on with one of some words; `unless`: not before one of others. */
  danger: Phrases<'anywhere' | 'at the end' | 'unless'>
  dangerFillers: ReadonlySet<string>
  afterDangerEndings: ReadonlySet<string>
  harmlessAfter: ReadonlySet<string>
  fillers: ReadonlySet<string>
  spelling: Spelling
}

/** What people call the entries of a list, by their names. */
export const synonyms: Record<IdFilter, Readonly<Record<string, string>>> = {
  issue_id: issueWords,
  therapy_type_id: therapyWords,
  language_id: languageWords,
  insurance_company_id: insurerWords,
  provider_id: providerWords,
}

/** Short names that are words of their own; they are read as names where they are written in capitals. */
export const acronyms: ReadonlySet<string> = new Set(['act', 'cat'])

/** Fillers of this length are known where they are mistyped. */
const correctedFiller = 7

/** Towns that are added at a time. */
const townsAtOnce = 500

/**
 * Builds the gazetteer in parts, since all of it at once would hold requests up.
 * @param towns names of towns that a sentence may contain
 * @param pause called between the parts
 */
export async function buildGazetteer(
  lists: ReferenceLists,
  towns: Iterable<string>,
  pause: () => Promise<void>,
): Promise<Gazetteer> {
  const phrases = noPhrases<Meaning>()
  for (const filter of filtersOfKind('ids')) addList(phrases, filter, lists)
  const values: [ValueFilter, Readonly<Record<string, string>>][] = [
    ['gender', genderWords],
    ['pronouns', pronounWords],
    ['session_type', formatWords],
  ]
  for (const [filter, words] of values) {
    for (const [value, text] of Object.entries(words)) {
      addPhrases(phrases, text, { kind: 'value', filter, value })
    }
  }
  for (const [value, text] of Object.entries(possibleGenderWords)) {
    addPhrases(phrases, text, { kind: 'possible_gender', value })
  }
  addPhrases(phrases, anyFormat, { kind: 'any_format' })
  addPhrases(phrases, withoutFilter, { kind: 'without_filter' })
  addPhrases(phrases, understood, { kind: 'understood' })

  const townPhrases = noPhrases<true>()
  const left = new Set(listed(notTowns))
  const allTowns = [...towns, ...listed(otherTownNames)]
  for (let from = 0; from < allTowns.length; from += townsAtOnce) {
    await pause()
    for (const name of allTowns.slice(from, from + townsAtOnce)) {
      if (!left.has(name.toLowerCase())) addPhrase(townPhrases, name, true)
    }
  }
  await pause()
  const danger: Gazetteer['danger'] = noPhrases()
  addPhrases(danger, dangerPhrases, 'anywhere')
  addPhrases(danger, dangerUnless, 'unless')
  addPhrases(danger, dangerEndings, 'at the end')
  const allFillers = new Set(listed(fillers))
  const known = [
    ...vocabulary(phrases),
    ...vocabulary(danger),
    ...wordsOfTime,
    ...[...allFillers].filter((word) => word.length >= correctedFiller),
  ]
  await pause()
  const ordinary = new Set([...allFillers, ...listed(ordinaryWords), ...vocabulary(townPhrases)])
  return {
    phrases,
    towns: townPhrases,
    ordinaryTowns: new Set([...listed(ordinaryTowns), ...listed(ordinaryPlaces)]),
    danger,
    dangerFillers: new Set(listed(dangerFillers)),
    afterDangerEndings: new Set(listed(afterDangerEndings)),
    harmlessAfter: new Set(listed(harmlessAfter)),
    fillers: allFillers,
    spelling: spellingOf(known, ordinary),
  }
}

function addList(phrases: Phrases<Meaning>, filter: IdFilter, lists: ReferenceLists): void {
  const { list, named } = filterTable[filter]
  const entries: readonly Record<string, unknown>[] = lists[list]
  for (const entry of entries) {
    const name = String(entry[named])
    const meaning: Meaning = { kind: 'ids', wanted: [{ filter, id: Number(entry[filter]) }] }
    for (const phrase of [...ownNames(name), ...listed(synonyms[filter][name] ?? '')]) {
      addPhrase(phrases, phrase, meaning, either)
    }
  }
}

/** "Compassion-focused therapy (CFT)" is known by both names. */
function ownNames(name: string): string[] {
  const bracket = name.indexOf(' (')
  if (bracket < 0) return [name]
  const short = name.slice(bracket + 2).replace(')', '')
  return acronyms.has(short.toLowerCase()) ? [name.slice(0, bracket)] : [name.slice(0, bracket), short]
}

/** A phrase of two entries means either. */
function either(known: Meaning, added: Meaning): Meaning {
  if (known.kind !== 'ids' || added.kind !== 'ids') return known
  const isThere = (one: { filter: IdFilter; id: number }) =>
    known.wanted.some(({ filter, id }) => filter === one.filter && id === one.id)
  return { kind: 'ids', wanted: [...known.wanted, ...added.wanted.filter((one) => !isThere(one))] }
}
