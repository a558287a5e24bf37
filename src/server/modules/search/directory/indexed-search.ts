import type { AvailableHours } from '#contract/practitioners/practitioners.ts'
import { FoundPractitioner, type PractitionerList } from '#contract/search.ts'
import { choicesOf } from '#contract/search-filters.ts'
import { seconds } from '../../../clock.ts'
import type { Db } from '../../../db/connection.ts'
import type { Deps } from '../../../deps.ts'
import { JsonText } from '../../../json-text.ts'
import { inPounds, toCard, toDistance } from '../search.mapper.ts'
import { dayNumberInLondon, type Filters } from '../search.rules.ts'
import * as search from '../search.store.ts'
import { type CardText, createCardCache, createCardObjects } from './card-cache.ts'
import type { DirectoryIndex } from './directory-index.ts'
import type { Found, Sort } from './directory.rules.ts'
import type { Directory } from './directory.service.ts'

type Search = {
  filters: Filters
  sort: Sort
  page: number
  limit: number
  offset: number
  counts: boolean
  /** What the answer says of the place that was searched for. */
  meta: Pick<PractitionerList['meta'], 'near' | 'near_unknown'>
}

type Dependencies = Pick<Deps, 'db' | 'reads' | 'log'> & {
  directory: Directory
  /** Refreshes what a search by time must not find outdated. */
  refreshMarked(): Promise<void>
  refreshAmong(ids: number[], now: Date): Promise<unknown>
  hoursOf(handle: Db, ids: number[]): Promise<Map<number, AvailableHours>>
}

const maxCardBytes = 96_000_000
/** A comparison with SQL costs as much as a hundred searches: there are no two within this time. */
const compareEvery = seconds(1)
/** How often a difference is looked at again before it is believed: others may have changed what is searched meanwhile. */
const compareTries = 4

/** Searches by the index of the directory, and writes answers from cards that are text already. */
export function createIndexedSearch(given: Dependencies) {
  const { db, reads, log, directory, refreshMarked, refreshAmong, hoursOf } = given
  const cards = createCardCache(maxCardBytes)
  const objects = createCardObjects()
  let comparedAt = Number.NEGATIVE_INFINITY

  async function find(index: DirectoryIndex, asked: Search, now: Date): Promise<JsonText<PractitionerList>> {
    const { filters, sort } = asked
    const at = now.getTime()
    if ((filters.dates || sort === 'soonest') && index.hasStale(at)) {
      await refreshMarked()
      await directory.settle()
    }
    const found = index.find({ ...asked, today: dayNumberInLondon(now) }, at)
    const bounds = index.bounds(at)
    const stale = found.ids.filter((id) => index.isStale(id, at))
    if (stale.length > 0) {
      await refreshAmong(stale, now)
      await directory.settle()
    }
    const { shown, texts } = await cardsOf(index, found.ids, now)
    const { total, relax, counts, needs } = found
    const meta: PractitionerList['meta'] = {
      total,
      page: asked.page,
      per_page: asked.limit,
      ...inPounds(bounds),
      ...asked.meta,
      fresh_until:
        shown.length > 0
          ? new Date(Math.min(...shown.map((id) => index.freshUntil(id)))).toISOString()
          : null,
      ...(relax ? { relax } : {}),
      ...(counts ? { counts: { ...counts, exact: filters.near === undefined } } : {}),
      ...(needs && Object.keys(needs).length > 0 ? { needs } : {}),
    }
    compareSometimes(asked, found, now)
    const { near, session_type: type } = filters
    const distances = near && shown.map((id) => toDistance(index.nearestPlace(id, near)))
    return new JsonText(
      () => answerOf(texts, type, meta, distances),
      () => ({ data: texts.map((text, at) => objects.of(text, type, distances?.[at])), meta }),
    )
  }

  /** The cards of practitioners in their order, without those that are no longer listed. */
  async function cardsOf(
    index: DirectoryIndex,
    ids: number[],
    now: Date,
  ): Promise<{ shown: number[]; texts: CardText[] }> {
    const found = ids.map((id) => {
      const version = index.versionOf(id)
      return version === undefined ? undefined : cards.get(id, version)
    })
    const missing = ids.filter((_, place) => !found[place])
    if (missing.length > 0) {
      const read = await reads.whole((handle) => readTexts(handle, missing, now))
      // A replica may not have the row that the index knows.
      const outdated = missing.filter((id) => read.get(id)?.version !== index.versionOf(id))
      for (const id of outdated) read.delete(id)
      for (const [id, card] of await readTexts(db, outdated, now)) read.set(id, card)
      for (const [id, card] of read) cards.set(id, card)
      for (const [place, id] of ids.entries()) found[place] ??= read.get(id)
    }
    return {
      shown: ids.filter((_, place) => found[place]),
      texts: found.filter((text) => text !== undefined),
    }
  }

  async function readTexts(handle: Db, ids: number[], now: Date): Promise<Map<number, CardText>> {
    if (ids.length === 0) return new Map()
    const rows = await search.readCards(handle, ids, now)
    // After the rows: hours that change later come with another row.
    const hours = await hoursOf(
      handle,
      rows.map((row) => row.practitioner_id),
    )
    return new Map(
      rows.flatMap((row) => {
        const own = hours.get(row.practitioner_id)
        return own ? [[row.practitioner_id, toText(row, own)] as const] : []
      }),
    )
  }

  function compareSometimes(asked: Search, found: Found, now: Date): void {
    const { shadow } = directory.settings
    if (shadow === 0 || Math.random() >= shadow || performance.now() - comparedAt < compareEvery) return
    comparedAt = performance.now()
    compare(asked, found, now).catch((error: unknown) => {
      log.warn(`A search was not compared: ${error instanceof Error ? error.name : 'unknown error'}.`)
    })
  }

  /** Compares an answer with that of SQL. A difference that stays sends all searches back to SQL. */
  async function compare(asked: Search, first: Found, now: Date): Promise<void> {
    let found = first
    let unchanged = 0
    for (let attempt = 1; attempt <= 10 * compareTries; attempt++) {
      const [rows, total] = await Promise.all([
        search.readPage(db, asked.filters, asked.sort, asked, now),
        search.countMatches(db, asked.filters, now),
      ])
      const isSame =
        total === found.total &&
        rows.length === found.ids.length &&
        rows.every((row, place) => row.practitioner_id === found.ids[place])
      if (isSame) return directory.compared(true)
      const before = directory.version()
      await directory.refresh()
      const index = await directory.current()
      if (!index) return
      unchanged = directory.version() === before ? unchanged + 1 : 0
      if (unchanged === compareTries) break
      found = index.find({ ...asked, counts: false, today: dayNumberInLondon(now) }, now.getTime())
    }
    if (unchanged < compareTries) return
    directory.compared(false)
    const filters = Object.keys(asked.filters).join(', ')
    log.warn(`The index and SQL differ in a search by ${filters || 'nothing'}, ${asked.sort}.`)
    directory.distrust()
  }

  return { find, cardBytes: cards.bytes }
}

function toText(row: search.VersionedRow, hours: AvailableHours): CardText {
  const { next_starts: either, ...common } = FoundPractitioner.parse(toCard(row, hours))
  const startsIn = (type: 'online' | 'face_to_face') =>
    endOfCard(toCard(row, hours, { session_type: type }).next_starts)
  const [online, faceToFace] = choicesOf('session_type').map(startsIn)
  return {
    version: row.version,
    common: Buffer.from(`,${JSON.stringify(common).slice(0, -1)}`),
    nextStarts: { either: endOfCard(either), online: online!, face_to_face: faceToFace! },
  }
}

const endOfCard = (starts: FoundPractitioner['next_starts']) =>
  Buffer.from(`,"next_starts":${JSON.stringify(starts)}}`)

const begin = Buffer.from('{"data":[')

function answerOf(
  cards: readonly CardText[],
  type: Filters['session_type'],
  meta: PractitionerList['meta'],
  /** Further fields of each card. */
  distances: readonly object[] | undefined,
): Buffer {
  const parts: Buffer[] = [begin]
  for (const [place, { common, nextStarts }] of cards.entries()) {
    parts.push(place === 0 ? common.subarray(1) : common)
    const distance = distances?.[place]
    if (distance) parts.push(Buffer.from(`,${JSON.stringify(distance).slice(1, -1)}`))
    parts.push(nextStarts[type ?? 'either'])
  }
  parts.push(Buffer.from(`],"meta":${JSON.stringify(meta)}}`))
  return Buffer.concat(parts)
}
