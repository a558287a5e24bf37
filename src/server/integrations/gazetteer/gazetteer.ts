import { readFileSync } from 'node:fs'
import { milesBetween, parsePostcode, type Point, withoutInward } from '#contract/places.ts'
import { neighbourhoods } from './neighbourhoods.ts'
import type { District, Gazetteer, KnownPlace, Town, UnknownPlace } from './port.ts'
import { isCentralLondon, postTowns } from './postcode-areas.ts'
import { openPostcodes, type Postcodes } from './postcode-file.ts'

/** In `DATA_DIR`, where `npm run import-postcodes` writes it. */
export const postcodesFile = 'postcodes.bin'

/** Most towns that are offered to choose from. */
const offeredTowns = 6
/** Miles around a post town within which the larger towns are offered beside it. */
const offeredWithin = 15
/** Inhabitants of a town whose name alone stands for it where others have it too. */
const cityPopulation = 40_000
const villagePopulation = 5_000
/** Miles around its post town within which the beginning of a town's name stands for it. */
const shortWithin = 25
/** Longest text that is compared with the names of towns. */
const longestName = 60

type Book = {
  towns: readonly Town[]
  /** The names of the towns as `foldPlace` writes them, in the same order. */
  folded: readonly string[]
  /** Towns of several words by each beginning of their names, such as "newcastle upon". */
  byBeginning: ReadonlyMap<string, readonly Town[]>
  byLabel: ReadonlyMap<string, Town>
  byName: ReadonlyMap<string, readonly Town[]>
}

/** Small letters and digits without accents; all else separates words. "St" stands for "Saint". */
export function foldPlace(text: string): string {
  const folded = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}|['’.]/gu, '')
  const words = folded.split(/[^\p{L}\p{N}]/u).filter(Boolean)
  return words.map((word) => (word === 'saint' ? 'st' : word)).join(' ')
}

/** Names in use for towns that are listed under a longer one. */
const aliases: Readonly<Record<string, string>> = { hull: 'Kingston upon Hull', londonderry: 'Derry' }

let book: Book | undefined

/** Read once a process. */
function readBook(): Book {
  const listed = readFileSync(new URL('towns.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Town => {
      const [name = '', label = '', nation = '', latitude, longitude, population] = line.split('\t')
      return {
        name,
        label,
        nation,
        latitude: Number(latitude),
        longitude: Number(longitude),
        population: Number(population),
      }
    })
  const towns = [...listed, ...partsBeside(listed)].toSorted((a, b) => b.population - a.population)
  const folded = towns.map((town) => foldPlace(town.name))
  const byName = new Map<string, Town[]>()
  const byBeginning = new Map<string, Town[]>()
  for (const [place, town] of towns.entries()) {
    const name = folded[place] ?? ''
    addTo(byName, name, town)
    for (let end = name.indexOf(' '); end > 0; end = name.indexOf(' ', end + 1)) {
      addTo(byBeginning, name.slice(0, end), town)
    }
  }
  const byLabel = new Map(towns.map((town) => [foldPlace(town.label), town]))
  for (const [alias, label] of Object.entries(aliases)) {
    const town = byLabel.get(foldPlace(label))
    if (town) byName.set(alias, [town])
  }
  return { towns, folded, byBeginning, byLabel, byName }
}

/** The parts of cities that are searched as towns: those that are not listed themselves. */
export function partsBeside(listed: readonly (Point & { name: string })[]): Town[] {
  return neighbourhoods.flatMap(({ area, city, latitude, longitude }): Town[] => {
    const known = listed.some((town) => town.name === area && milesBetween(town, { latitude, longitude }) < 2)
    if (area === undefined || known) return []
    return [{ name: area, label: `${area}, ${city}`, nation: '', latitude, longitude, population: 0 }]
  })
}

/**
 * Whether a town is larger than another. One whose population is not known is taken for a village, unless the two are one:
 * Harrow is not smaller than Harrow on the Hill.
 */
export function isLargerThan(town: Sized, other: Sized): boolean {
  if (other.population > 0) return town.population > other.population
  const isPart = town.population < cityPopulation && milesBetween(town, other) < 3
  return town.population > villagePopulation && !isPart
}

type Sized = Point & { population: number }

function addTo(towns: Map<string, Town[]>, name: string, town: Town): void {
  const known = towns.get(name)
  if (known) known.push(town)
  else towns.set(name, [town])
}

/** @param file what `npm run import-postcodes` writes; without it, only the neighbourhoods of the demo are known */
export function openGazetteer(file?: string): Gazetteer {
  const postcodes: Postcodes = openPostcodes(file)
  const books = () => (book ??= readBook())
  const districts = new Map<string, District>()
  for (const { area, city, latitude, longitude, districts: codes } of neighbourhoods) {
    for (const outward of codes) {
      // Northern Ireland's postcodes are not covered by the licence of the others.
      if (outward.startsWith('BT')) continue
      districts.set(outward, { outward, name: area ? `${area}, ${city}` : city, latitude, longitude })
    }
  }

  /** The known districts of London by the part of their codes up to the number: W1G is the W1 that W1T is of. */
  const numbered = new Map<string, District>()
  for (const known of districts.values()) {
    const stem = numberedPart(known.outward)
    if (postTowns.get(areaOf(stem)) === 'London' && !numbered.has(stem)) numbered.set(stem, known)
  }

  function district(outward: string): District | undefined {
    const known = districts.get(outward)
    const point = postcodes.find(outward)
    if (!point) return known
    return { outward, name: known?.name ?? nearestTown(point).label, ...point }
  }

  function nearestTown(point: Point): Town {
    return nearestOf(books().towns, point)
  }

  function postTownOf(area: string): Town | undefined {
    return books().byLabel.get(foldPlace(postTowns.get(area) ?? ''))
  }

  /**
   * Which of some towns has a postcode of the area of a post town: one that few other post towns are nearer to, of those the
   * largest, and of equal ones the nearest.
   */
  function likeliestOf(towns: readonly Town[], postTown: Town): Town | undefined {
    const others = [...new Set([...postTowns.keys()].map(postTownOf))]
    const ranked = towns.map((each) => {
      const miles = milesBetween(each, postTown)
      const nearer = others.filter((other) => other && milesBetween(each, other) < miles).length
      return { town: each, miles, nearer }
    })
    const fewest = Math.min(...ranked.map(({ nearer }) => nearer))
    const [likeliest] = ranked
      .filter(({ nearer }) => nearer <= fewest + 1)
      .toSorted((a, b) => b.town.population - a.town.population || a.miles - b.miles)
    return likeliest?.town
  }

  function town(name: string, outward?: string): Town | undefined {
    const folded = foldPlace(name)
    const { byBeginning, byLabel, byName } = books()
    const [labelled, named = []] = [byLabel.get(folded), byName.get(folded)]
    if (outward === undefined) return labelled ?? named[0]
    const area = areaOf(outward)
    const inNation = (towns: readonly Town[]) =>
      towns.filter(({ nation }) => (nation === 'Northern Ireland') === (area === 'BT'))
    const namesakes = inNation(named.length === 0 && labelled ? [labelled] : named)
    if (area === 'BT') return namesakes[0]
    const postTown = postTownOf(area)
    if (!postTown) return undefined
    if (namesakes.length > 0) return likeliestOf(namesakes, postTown)
    // "Newcastle" of NE1 is written so for short.
    const longer = inNation(byBeginning.get(folded) ?? [])
    return likeliestOf(
      longer.filter((each) => milesBetween(each, postTown) < shortWithin),
      postTown,
    )
  }

  function find(text: string): { place: KnownPlace } | { unknown: UnknownPlace } {
    const typed = withoutInward(text)
    const postcode = parsePostcode(typed)
    if (postcode) return findOutward(postcode.outward)
    const name = foldPlace(typed.slice(0, longestName))
    const { byLabel, byName, byBeginning } = books()
    const labelled = byLabel.get(name)
    const named = byName.get(name) ?? []
    // "Newcastle" is a village as well, but few mean it.
    const longer = (byBeginning.get(name) ?? []).filter((town) => named[0] && isLargerThan(town, named[0]))
    const isMeant = named.length < 2 || (labelled?.population ?? 0) >= cityPopulation
    if (labelled && isMeant && longer.length === 0) return { place: labelled }
    if (named.length === 1 && named[0] && longer.length === 0) return { place: named[0] }
    if (named.length > 0) return unknown('ambiguous', [...longer, ...named])
    return unknown('town', likeNamed(name))
  }

  function findOutward(outward: string): { place: KnownPlace } | { unknown: UnknownPlace } {
    const { byLabel, towns } = books()
    const area = areaOf(outward)
    if (area === 'BT') {
      return unknown(
        'northern_ireland',
        towns.filter((town) => town.nation === 'Northern Ireland'),
      )
    }
    const known = district(outward) ?? numbered.get(numberedPart(outward))
    if (known) return { place: { ...known, label: outward } }
    const town = byLabel.get(foldPlace(postTowns.get(area) ?? ''))
    if (!town) return unknown('postcode', [])
    if (isCentralLondon(outward)) return { place: town }
    const around = towns.filter((other) => other !== town && milesBetween(town, other) < offeredWithin)
    return unknown('postcode', [town, ...around])
  }

  /** Towns that begin with the text or whose name is a mistake or two away, the larger ones first. */
  function likeNamed(name: string): Town[] {
    if (name.length < 3) return []
    const allowed = name.length < 6 ? 1 : 2
    const { towns, folded } = books()
    return towns.filter((_, place) => {
      const other = folded[place] ?? ''
      return other.startsWith(name) || mistakes(name, other, allowed) <= allowed
    })
  }

  return {
    towns: () => books().towns,
    find,
    district,
    postcode(text) {
      const postcode = parsePostcode(text)
      return postcode?.inward ? postcodes.find(postcode.outward, postcode.inward) : undefined
    },
    town,
  }
}

function nearestOf(towns: readonly Town[], point: Point): Town {
  return towns.reduce((best, town) => (milesBetween(point, town) < milesBetween(point, best) ? town : best))
}

/** `W` of `W1T`. */
const areaOf = (outward: string) => outward.slice(0, outward.search(/\d/))
/** `W1` of `W1T`. */
const numberedPart = (outward: string) => outward.replace(/(?<=\d)[A-Z]$/, '')

const unknown = (reason: UnknownPlace['reason'], towns: readonly Town[]) => ({
  unknown: { reason, towns: towns.slice(0, offeredTowns).map((town) => town.label) },
})

const [aboveRow, currentRow] = [new Uint8Array(longestName + 3), new Uint8Array(longestName + 3)]

/**
 * The number of letters to insert, delete or replace that turn one text into another; any larger number past `limit`.
 * @param a of `longestName` letters at most
 * @param limit 2 at most
 */
function mistakes(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let [above, current] = [aboveRow, currentRow]
  for (let column = 0; column <= b.length; column++) above[column] = column
  for (let row = 1; row <= a.length; row++) {
    let least = (current[0] = row)
    const letter = a.charCodeAt(row - 1)
    for (let column = 1; column <= b.length; column++) {
      const replaced = above[column - 1]! + (letter === b.charCodeAt(column - 1) ? 0 : 1)
      const value = Math.min(replaced, above[column]! + 1, current[column - 1]! + 1)
      current[column] = value
      if (value < least) least = value
    }
    if (least > limit) return limit + 1
    ;[above, current] = [current, above]
  }
  return above[b.length]!
}
