import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { choicesOf, filtersOfKind, filterTable } from '#contract/search-filters.ts'
import { referenceData } from '#server/db/seed/reference.ts'
import { openGazetteer } from '#server/integrations/gazetteer/gazetteer.ts'
import { dayNumber } from '../../../clock.ts'
import type { Days } from './days.rules.ts'
import { buildGazetteer, type IdFilter, type ReferenceLists, synonyms } from './gazetteer.rules.ts'
import { possibleNames } from './names-in.rules.ts'
import { listed, phraseSet, vocabulary } from './phrases.rules.ts'
import { placeReader } from './places.rules.ts'
import { ordinaryWords } from './words/fillers.ts'
import type { PriceRange } from './prices.rules.ts'
import { rangeOf, readSentence, type Reading } from './sentence.rules.ts'

const lists: ReferenceLists = {
  issues: [...referenceData.issues],
  therapy_types: [...referenceData.therapyTypes],
  languages: [...referenceData.languages],
  insurance_companies: [...referenceData.insuranceCompanies],
  provider_types: [...referenceData.providerTypes],
  genders: referenceData.genders.map(({ name }) => name),
} as unknown as ReferenceLists
const places = openGazetteer()
const gazetteer = await buildGazetteer(
  lists,
  places.towns().flatMap(({ name, label }) => [name, label]),
  async () => undefined,
)
/** A Wednesday. */
const today = dayNumber('2026-06-10')
const read = (sentence: string) =>
  readSentence(sentence, gazetteer, { today, readPlace: placeReader(places.find) })

const prefixes: Record<string, IdFilter> = {
  issue: 'issue_id',
  therapy: 'therapy_type_id',
  language: 'language_id',
  insurer: 'insurance_company_id',
  provider: 'provider_id',
}

function nameOf(filter: IdFilter, id: number): string {
  const { list, named } = filterTable[filter]
  const entries: readonly Record<string, unknown>[] = lists[list]
  return String(entries.find((entry) => entry[filter] === id)?.[named])
}

/** An entry by the beginning of its name, or by what stands in brackets. */
function idOf(filter: IdFilter, text: string): number {
  const { list, named } = filterTable[filter]
  const entries: readonly Record<string, unknown>[] = lists[list]
  const found = entries.filter((entry) => {
    const name = String(entry[named])
    return name.startsWith(text) || name.endsWith(`(${text})`)
  })
  const exact = found.find((entry) => entry[named] === text) ?? (found.length === 1 ? found[0] : undefined)
  if (!exact) throw new Error(`${text} is ${found.length} entries of ${filter}`)
  return Number(exact[filter])
}

const dayText = (day: number | undefined) =>
  day === undefined ? '' : new Date(day * 86_400_000).toISOString().slice(0, 10)

/** The filters of a reading as a row of the table has them. */
function inWords(reading: Reading): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [word, filter] of Object.entries(prefixes)) {
    const ids = reading.ids[filter]
    if (ids)
      found[word] = ids
        .map((id) => nameOf(filter, id))
        .toSorted()
        .join(', ')
  }
  const { gender, pronouns, session_type: format } = reading.values
  if (gender) found.gender = gender
  if (pronouns) found.pronouns = pronouns
  if (format) found.format = format
  if (reading.price?.min !== undefined) found.min = String(reading.price.min)
  if (reading.price?.max !== undefined) found.max = String(reading.price.max)
  const range = rangeOf(reading.days)
  if (reading.days === 'soon') found.days = 'soon'
  else if (range) found.days = `${dayText(range.from)}..${dayText(range.to)}`
  if (reading.near) found.near = reading.near.label
  if (reading.near?.within !== undefined) found.within = String(reading.near.within)
  return found
}

function expected(text: string): Record<string, string> {
  const pairs = text.split('; ').filter(Boolean)
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = '', value = ''] = pair.split('=')
      const filter = prefixes[key]
      if (!filter) return [key, value]
      const names = value.split(',').map((each) => nameOf(filter, idOf(filter, each)))
      return [key, names.toSorted().join(', ')]
    }),
  )
}

const rows = readFileSync(new URL('../../../../../test/samples/sentences.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t') as [string, string, string, string])

/** Those of the table's people who are practitioners. */
const practitioners = new Set(['priya nwosu', 'nwosu', 'priya'])

describe('a sentence', () => {
  test('the table has at least 300', () => {
    expect(rows.length).toBeGreaterThanOrEqual(300)
    expect(new Set(rows.map(([sentence]) => sentence)).size).toBe(rows.length)
  })

  test.each(['\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'])(
    'is read through signs that are not seen, such as %j',
    (sign) => {
      expect(read(`sui${sign}cidal thoughts`).isDanger).toBe(true)
      expect(read(`I want to ki${sign}ll ${sign}myself`).isDanger).toBe(true)
      expect(inWords(read(`anx${sign}iety, online, under £6${sign}0`))).toEqual(
        inWords(read('anxiety, online, under £60')),
      )
    },
  )

  test.each(rows)('%s', (sentence, filters, left, mark) => {
    const reading = read(sentence)
    const names = reading.isDanger
      ? []
      : possibleNames(reading.left).filter(({ words }) => practitioners.has(words.join(' ')))
    const found = { ...inWords(reading), ...(names[0] ? { name: names[0].text } : {}) }
    expect(found).toEqual(expected(filters))
    expect(reading.isDanger).toBe(mark === 'safety')
    expect(reading.ask !== undefined).toBe(mark === 'ask')
    if (left !== '*') {
      const texts = reading.left.filter((part) => !names.includes(part)).map(({ text }) => text)
      expect(texts).toEqual(left.split('; ').filter(Boolean))
    }
  })
})

describe('a price in words', () => {
  test.each<[string, PriceRange]>([
    ['twenty pounds', { max: 20 }],
    ['thirty five pounds', { max: 35 }],
    ['forty pounds', { max: 40 }],
    ['fifty quid', { max: 50 }],
    ['seventy pounds', { max: 70 }],
    ['eighty pounds', { max: 80 }],
    ['sixty to ninety pounds', { min: 60, max: 90 }],
    ['a hundred pounds', { max: 100 }],
    ['one hundred pounds', { max: 100 }],
    ['a hundred and twenty five pounds', { max: 125 }],
    ['£60.55', { max: 60.55 }],
    ['£1k', { max: 1000 }],
    ['£1800', { max: 1800 }],
    ['20 max', { max: 20 }],
    ['under 20', { max: 20 }],
    ['between 20 and 30', { min: 20, max: 30 }],
    ['£40 to 60', { min: 40, max: 60 }],
    ['40 to £60', { min: 40, max: 60 }],
    ['40-60 pounds', { min: 40, max: 60 }],
    ['from £40', { min: 40 }],
    ['from £40 to £60', { min: 40, max: 60 }],
    ['around £5', { min: 0, max: 15 }],
    ['up to around £60', { max: 60 }],
    ['£60 a session', { max: 60 }],
    ['under 60 for an hour', { max: 60 }],
    ['£60 for each appointment', { max: 60 }],
    ['£60 hourly', { max: 60 }],
  ])('%s is read whole', (sentence, price) => {
    const reading = read(sentence)
    expect(reading.price).toEqual(price)
    expect(reading.used.map(({ text }) => text)).toEqual([sentence])
    expect(reading.left).toEqual([])
  })

  test.each([
    'five pounds',
    '19 max',
    'under 19',
    'between 10 and 15',
    'over 60',
    'over 60 max',
    'around 60',
    'under 60 minutes',
    '£0',
    '£2k',
    '£1801',
    '£60 pcm',
    '£30000 a year',
  ])('%s is no price of a session', (sentence) => {
    expect(read(sentence).price).toBeUndefined()
  })

  test('ends before a unit of another sentence', () => {
    expect(read('60 max. Minutes from Leeds').price).toEqual({ max: 60 })
    expect(read('a hundred pounds and anxiety')).toMatchObject({
      price: { max: 100 },
      ids: { issue_id: [idOf('issue_id', 'Anxiety')] },
    })
  })
})

describe('a story of a client', () => {
  test.each([
    'I was brought up in Leeds',
    'grown up in Leeds',
    'growing up in Leeds',
    'raised in Leeds',
    'born near Leeds',
    'moved from Leeds',
    'I work on Monday',
    'it happened on Friday',
    'he walked out on Friday',
    'Friday was hard',
    'weekends are the worst',
    'it cost me £60',
    'my rent went up to £60',
    'as a woman',
    'I feel like a woman',
    'another woman',
    'I am a 45 year old man',
    'it is hard for a woman',
    'hurt by a woman',
    'scared of women',
    'tried CBT, it did not help',
    'had EMDR it failed',
    "I have tried CBT but it didn't work for me",
    "I've tried CBT and it hasn't helped",
    'tried CBT but that has not helped',
    'CBT has not helped',
    'CBT never worked for me',
    'I hate CBT',
    "I don't mind online",
    "I don't mind a woman",
  ])('%s is no wish', (sentence) => {
    expect(inWords(read(sentence))).toEqual({})
  })

  test.each([
    ['moved to Leeds', 'near=Leeds'],
    ['I owe, under £60', 'max=60'],
    ['therapy that costs £60', 'max=60'],
    ['work, free Monday', 'days=2026-06-15..2026-06-15'],
    ['free on Friday, it happened before', 'days=2026-06-12..2026-06-12'],
    ['I need help on Friday with exams', 'days=2026-06-12..2026-06-12'],
    ['someone like a woman', 'gender=Female'],
    ['looking for a woman', 'gender=Female'],
    ['hoping for a man', 'gender=Male'],
    ['seen by a woman', 'gender=Female'],
    ['with women', 'gender=Female'],
    ['a kind older woman please', 'gender=Female'],
    ['rather than online', 'format=face_to_face'],
    ['instead of online', 'format=face_to_face'],
    ['apart from online', 'format=face_to_face'],
    ['anything but online', 'format=face_to_face'],
    ["I can't do online", 'format=face_to_face'],
    ['CBT, never online', 'therapy=Cognitive behavioural therapy (CBT); format=face_to_face'],
    ['CBT and it has not been easy', 'therapy=Cognitive behavioural therapy (CBT)'],
    ["CBT that doesn't cost more than £60", 'therapy=Cognitive behavioural therapy (CBT); max=60'],
    ["someone who does CBT and doesn't judge", 'therapy=Cognitive behavioural therapy (CBT)'],
    ["CBT that isn't online", 'therapy=Cognitive behavioural therapy (CBT); format=face_to_face'],
    ['EMDR, it was not my fault', 'therapy=EMDR'],
    ['CBT but it was not available on the NHS', 'therapy=Cognitive behavioural therapy (CBT)'],
    ['CBT and it has to be online', 'therapy=Cognitive behavioural therapy (CBT); format=online'],
    ['under £40 or over £80', 'max=40'],
    ['over £80 and under £40', 'min=80'],
  ])('%s is still read as the wish %s', (sentence, filters) => {
    expect(inWords(read(sentence))).toEqual(expected(filters))
  })
})

describe('the parts of a sentence', () => {
  const partsOf = (sentence: string) => {
    const { used, left, ask } = read(sentence)
    return { used: used.map(({ text }) => text), left: left.map(({ text }) => text), ask: ask?.text }
  }

  test.each([
    ['a woman in Leeds on Monday', 'gender=Female; near=Leeds; days=2026-06-15..2026-06-15'],
    ['a man or a woman', ''],
    ['a woman, female please', 'gender=Female'],
    ['not a man', ''],
    ['not a man, a woman', 'gender=Female'],
    ['online near Leeds', 'format=online'],
    ['near York and Leeds', 'near=York'],
  ])('%s are read as the filters %j', (sentence, filters) => {
    expect(inWords(read(sentence))).toEqual(expected(filters))
  })

  test('are named in the order of the sentence', () => {
    expect(partsOf('a woman in Leeds on Monday')).toEqual({
      used: ['woman', 'Leeds', 'on Monday'],
      left: [],
      ask: undefined,
    })
  })

  test('are no filter for two genders, and name the one that is not wanted', () => {
    expect(partsOf('a man or a woman')).toEqual({ used: [], left: [], ask: undefined })
    expect(partsOf('not a man')).toEqual({ used: [], left: ['not a man'], ask: undefined })
    expect(partsOf('not a man, a woman')).toEqual({ used: ['woman'], left: [], ask: undefined })
    expect(partsOf('a woman, female please')).toEqual({ used: ['woman'], left: [], ask: undefined })
  })

  test('name a place that is not searched near: beside online, or after another one', () => {
    expect(partsOf('online near Leeds')).toEqual({ used: ['online'], left: ['Leeds'], ask: undefined })
    expect(partsOf('online in Newport')).toEqual({ used: ['online'], left: ['Newport'], ask: undefined })
    expect(partsOf('in Leedz online')).toEqual({ used: ['online'], left: ['Leedz'], ask: undefined })
    expect(partsOf('near York and Leeds')).toEqual({ used: ['York'], left: ['Leeds'], ask: undefined })
    expect(partsOf('in Newport and Leeds')).toEqual({ used: [], left: ['Leeds'], ask: 'Newport' })
  })

  test('hold a question about a mistyped town after "in" or "near", and about no other word', () => {
    expect(read('anxiety in Brightn').ask).toMatchObject({ text: 'Brightn' })
    expect(read('anxiety in Brightn').ask?.options).toContain('Brighton')
    expect(partsOf('anxiety in Brightn').left).toEqual([])
    expect(read('near Leedz').ask).toEqual({ text: 'Leedz', options: ['Leeds'] })
    expect(partsOf('in bed')).toEqual({ used: [], left: ['bed'], ask: undefined })
    expect(read('anxiety Brightn').ask).toBeUndefined()
  })

  test.each(['after 6pm', 'before 9am', 'from 9 am', 'at 9 am', 'by 10 oclock', 'until 4pm', 'around 6ish'])(
    '%s is a time of day, which is named whole and is no price',
    (sentence) => {
      expect(read(sentence).price).toBeUndefined()
      expect(partsOf(sentence)).toEqual({ used: [], left: [sentence], ask: undefined })
    },
  )
})

describe('the words of the lists', () => {
  test('are of every filter that is a list', () => {
    expect(Object.values(prefixes).toSorted()).toEqual(filtersOfKind('ids').toSorted())
  })

  test('are of entries that there are, and each entry has some', () => {
    for (const filter of filtersOfKind('ids')) {
      const { list, named } = filterTable[filter]
      const entries: readonly Record<string, unknown>[] = lists[list]
      expect(Object.keys(synonyms[filter]).toSorted()).toEqual(
        entries.map((entry) => String(entry[named])).toSorted(),
      )
    }
  })

  const phrases = filtersOfKind('ids').flatMap((filter) =>
    Object.entries(synonyms[filter]).flatMap(([name, text]) =>
      listed(text).map((phrase) => ({ filter, id: idOf(filter, name), phrase })),
    ),
  )

  test('are at least 400, and each leads to its entry', () => {
    expect(new Set(phrases.map(({ phrase }) => phrase)).size).toBeGreaterThan(400)
    const lost = phrases.filter(({ filter, id, phrase }) => !read(phrase).ids[filter]?.includes(id))
    expect(lost.map(({ phrase, id }) => `${phrase} ${id}`)).toEqual([])
  })

  test('are found with one letter of a long word left out', () => {
    const words = new Set([
      ...phrases.flatMap(({ phrase }) => [...vocabulary(phraseSet(phrase))]),
      ...listed(ordinaryWords),
    ])
    const long = phrases.filter(({ phrase }) => !phrase.includes(' ') && phrase.length >= 9)
    expect(long.length).toBeGreaterThan(100)
    const lost = long.filter(({ filter, id, phrase }) => {
      const mistyped = phrase.slice(0, 4) + phrase.slice(5)
      return !words.has(mistyped) && !read(mistyped).ids[filter]?.includes(id)
    })
    expect(lost.map(({ phrase }) => phrase)).toEqual([])
  })
})

const idsOf = (filter: IdFilter) => {
  const entries: readonly Record<string, unknown>[] = lists[filterTable[filter].list]
  return entries.map((entry) => Number(entry[filter]))
}
const someOf = (filter: IdFilter) => fc.uniqueArray(fc.constantFrom(...idsOf(filter)), { maxLength: 4 })
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined })
const shortDay = (day: number) =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
    .format(day * 86_400_000)
    .replace(',', '')

/** A price as its chip has it. */
function priceText({ min, max }: PriceRange): string[] {
  if (min !== undefined && max !== undefined) return [`£${min} to £${max}`]
  if (min !== undefined) return [`From £${min}`]
  return max === undefined ? [] : [`Up to £${max}`]
}

/** Days as their chip has them. */
function daysText(days: Days | undefined): string[] {
  if (days === undefined) return []
  if (days === 'soon') return ['Free in the next 7 days']
  const { from, to } = days
  if (from !== undefined && to !== undefined) {
    return [from === to ? `Free on ${shortDay(from)}` : `Free ${shortDay(from)} to ${shortDay(to)}`]
  }
  if (from !== undefined) return [`Free from ${shortDay(from)}`]
  return to === undefined ? [] : [`Free until ${shortDay(to)}`]
}

test.each([
  ['28 to 3 January', '2026-12-10', '2026-12-28..2027-01-03'],
  ['28 to 3 January', '2027-01-02', '2027-01-02..2027-01-03'],
  ['29 to 3 March', '2027-02-10', '2027-03-03..2027-03-03'],
  ['29 to 3 March', '2028-02-10', '2028-02-29..2028-03-03'],
])('%s, written on %s, is %s', (sentence, writtenOn, days) => {
  const reading = readSentence(sentence, gazetteer, {
    today: dayNumber(writtenOn),
    readPlace: placeReader(places.find),
  })
  expect(inWords(reading)).toEqual({ days })
})

test('the chips of any filters, written as a sentence, are read as those filters', () => {
  const ahead = fc.integer({ min: today, max: today + 60 })
  const anyDays: fc.Arbitrary<Days | undefined> = fc.oneof(
    fc.constant(undefined),
    fc.constant('soon' as const),
    fc.record({ from: ahead }),
    fc.record({ to: ahead }),
    fc.tuple(ahead, ahead).map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) })),
  )
  const pounds = fc.integer({ min: 1, max: 900 })
  const anyFilters = fc.record({
    issue_id: someOf('issue_id'),
    session_type: maybe(fc.constantFrom('online', 'face_to_face')),
    days: anyDays,
    price: fc.record({ min: maybe(pounds), max: maybe(pounds) }),
    provider_id: someOf('provider_id'),
    gender: maybe(fc.constantFrom('Female', 'Male', 'Non-binary')),
    pronouns: maybe(fc.constantFrom(...choicesOf('pronouns'))),
    language_id: someOf('language_id'),
    therapy_type_id: someOf('therapy_type_id'),
    insurance_company_id: someOf('insurance_company_id'),
    town: maybe(fc.constantFrom('Leeds', 'Kingston upon Hull', 'Newport, Wales', 'LS6', 'Reading')),
  })
  const sorted = (ids: readonly number[] | undefined) => ids?.toSorted((a, b) => a - b) ?? []
  fc.assert(
    fc.property(anyFilters, ({ days, price: { min, max }, town, ...others }) => {
      const price =
        min !== undefined && max !== undefined && min > max ? { min: max, max: min } : { min, max }
      const near = others.session_type === 'online' ? undefined : town
      const named = filtersOfKind('ids').flatMap((filter) => others[filter].map((id) => nameOf(filter, id)))
      const chips = [
        ...named,
        ...(others.session_type ? [filterTable.session_type.choices[others.session_type]] : []),
        ...daysText(days),
        ...priceText(price),
        ...(others.gender ? [others.gender] : []),
        ...(others.pronouns ? [others.pronouns] : []),
        ...(near ? [`Within 5 miles of ${near}`] : []),
      ]
      const reading = read(chips.join(', '))
      const lists = Object.fromEntries(filtersOfKind('ids').map((filter) => [filter, sorted(others[filter])]))
      const found = Object.fromEntries(
        filtersOfKind('ids').map((filter) => [filter, sorted(reading.ids[filter])]),
      )
      expect({ chips, ...found }).toEqual({ chips, ...lists })
      expect(reading.values).toEqual(
        JSON.parse(
          JSON.stringify({
            gender: others.gender,
            pronouns: others.pronouns,
            session_type: others.session_type,
          }),
        ),
      )
      expect(reading.price ?? {}).toEqual(JSON.parse(JSON.stringify(price)))
      expect(reading.days).toEqual(days)
      expect(reading.near).toEqual(near && { label: near, within: 5 })
      expect([reading.left, reading.ask, reading.isDanger]).toEqual([[], undefined, false])
    }),
    { numRuns: 300 },
  )
})

/** How often a phrase, a word or a spelling is looked up while something runs. */
function lookUps(work: () => void): number {
  const { get } = Map.prototype
  let count = 0
  // oxlint-disable-next-line no-extend-native -- counts, and is put back
  Map.prototype.get = function (key) {
    count++
    return get.call(this, key) as unknown
  }
  try {
    work()
  } finally {
    // oxlint-disable-next-line no-extend-native -- as it was
    Map.prototype.get = get
  }
  return count
}

describe('a hostile sentence', () => {
  const hostile: Record<string, string> = {
    'one word': 'x',
    'words of phrases that never end': 'between from within the next of ',
    'half phrases': 'cognitive behavioural acceptance and commitment person ',
    'words that danger begins with': 'want to really just even want to ',
    'words that danger goes on from in two ways': 'hitting my kids want to wants any more take all her own ',
    'words that a negation reaches over': 'not a the any by to with do want ',
    prices: '£60-',
    numbers: '1,000.5 ',
    days: 'between monday and ',
    'days without a month': 'between 1-2 to friday 3 and ',
    'days of the month before': '28 to 3 july to ',
    'weeks of a day': 'friday week of the ',
    'words one mistake away': 'depresion anxeity panick theraphy ',
    towns: 'in newcastle upon tyne near ',
    accents: 'é̂̃',
    emojis: '😀👩‍⚕️',
    'words of another script': 'депрессия 抑郁症 اكتئاب ',
    apostrophes: "can't'n'",
  }

  test.each(Object.entries(hostile))('of %s takes no more than its length', (_name, piece) => {
    const ofLength = (length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
    read(ofLength(300))
    const [short, long] = [1500, 12_000].map((length) => lookUps(() => void read(ofLength(length))))
    expect(long).toBeLessThanOrEqual(9 * ((short ?? 0) + 200))
    expect((short ?? 0) / 1500).toBeLessThan(60)
  })

  test('of any signs is read without an error, and what is named of it stands in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (sentence) => {
        const reading = read(sentence)
        for (const { text } of [...reading.left, ...reading.used]) expect(sentence).toContain(text)
      }),
      { numRuns: 300 },
    )
  })
})
