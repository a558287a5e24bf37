import type { AvailableHours } from '#contract/practitioners/practitioners.ts'
import { FoundPractitioner, type PractitionerList } from '#contract/search.ts'
import { choicesOf } from '#contract/search-filters.ts'
import { seconds } from '../../../clock.ts'
import type { Db } from '../../../db/connection.ts'
import type { Deps } from '../../../deps.ts'
import { errorName } from '../../../errors.ts'
import { JsonText } from '../../../json-text.ts'
import { inPounds, toCard, toDistance } from '../search.mapper.ts'
import { dayNumberInLondon, type Filters } from '../search.rules.ts'
import * as search from '../search.store.ts'
import { type CardText, createCardCache, createCardObjects } from './card-cache.ts'
import type { AskedPage, Details, DirectoryHandle } from './directory-calls.ts'
import type { Found, Sort } from './directory.rules.ts'
import type { Directory } from './directory.service.ts'

type Search = Pick<AskedPage, 'filters' | 'typed' | 'counts' | 'limit' | 'offset'> & {
  sort: Sort
  page: number
  /** The filters as SQL has them. */
  sqlFilters(): Promise<Filters>
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

  /** @throws DirectoryGone when the index is given up meanwhile */
  async function find(index: DirectoryHandle, asked: Search, now: Date): Promise<JsonText<PractitionerList>> {
    const { filters, typed, sort, limit, offset } = asked
    const at = now.getTime()
    const today = dayNumberInLondon(now)
    const wanted = { filters, typed, sort, limit, offset, counts: asked.counts, today }
    const isFresh = filters.dates !== undefined || sort === 'soonest'
    let found = await index.ask('find', { ...wanted, isFresh }, at)
    if (!found) {
      await refreshMarked()
      await directory.rereadMarked()
      found = await index.ask('find', { ...wanted, isFresh: false }, at)
      if (!found) throw new Error('A search was not answered.')
    }
    const { total, ids, bounds, relax, counts, needs } = found
    let details: Details = found
    if (found.stale.length > 0) {
      await refreshAmong(found.stale, now)
      await directory.reread(found.stale)
      details = await index.ask('details', ids, filters.near, at)
    }
    const { texts, places } = await cardsOf(ids, details.versions, now)
    const freshUntil = Math.min(...places.map((place) => details.freshUntil[place]!))
    const meta: Omit<PractitionerList['meta'], 'counts' | 'needs'> = {
      total,
      page: asked.page,
      per_page: limit,
      ...inPounds(bounds),
      ...asked.meta,
      fresh_until: places.length > 0 ? new Date(freshUntil).toISOString() : null,
      ...(relax ? { relax } : {}),
    }
    compareSometimes(asked, found, now)
    const { near, session_type: type } = filters
    const distances = near && places.map((place) => toDistance(details.nearest?.[place]))
    const metaText = () => {
      const parts = [JSON.stringify(meta).slice(0, -1)]
      // A search around a place counts for other formats without it.
      if (counts) parts.push(`,"counts":${counts.slice(0, -1)},"exact":${near === undefined}}`)
      if (needs) parts.push(`,"needs":${needs}`)
      return `${parts.join('')}}`
    }
    return new JsonText(
      () => answerOf(texts, type, metaText(), distances),
      () => ({
        data: texts.map((text, place) => objects.of(text, type, distances?.[place])),
        meta: JSON.parse(metaText()) as PractitionerList['meta'],
      }),
    )
  }

  /**
   * The cards of practitioners in their order, without those that are no longer listed, and the place of each in the list.
   * `versions` are of the rows that the index knows.
   */
  async function cardsOf(
    ids: readonly number[],
    versions: Details['versions'],
    now: Date,
  ): Promise<{ places: number[]; texts: CardText[] }> {
    const found = ids.map((id, place) => {
      const version = versions[place]
      return version === undefined ? undefined : cards.get(id, version)
    })
    const isKnown = (place: number, card: CardText | undefined) => card?.version === versions[place]
    const missing = ids.filter((_, place) => !found[place])
    if (missing.length > 0) {
      const read = await reads.whole((handle) => readTexts(handle, missing, now))
      // A replica may not have the row that the index knows.
      const outdated = ids.filter((id, place) => !found[place] && !isKnown(place, read.get(id)))
      for (const id of outdated) read.delete(id)
      for (const [id, card] of await readTexts(db, outdated, now)) read.set(id, card)
      for (const [id, card] of read) cards.set(id, card)
      for (const [place, id] of ids.entries()) found[place] ??= read.get(id)
    }
    const places: number[] = []
    const texts: CardText[] = []
    for (const [place, text] of found.entries()) {
      if (!text) continue
      places.push(place)
      texts.push(text)
    }
    return { places, texts }
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

  function compareSometimes(asked: Search, found: Pick<Found, 'total' | 'ids'>, now: Date): void {
    const { shadow } = directory.settings
    if (shadow === 0 || Math.random() >= shadow || performance.now() - comparedAt < compareEvery) return
    comparedAt = performance.now()
    compare(asked, found, now).catch((error: unknown) => {
      log.warn(`A search was not compared: ${errorName(error)}.`)
    })
  }

  /** Compares an answer with that of SQL. A difference that stays sends all searches back to SQL. */
  async function compare(asked: Search, first: Pick<Found, 'total' | 'ids'>, now: Date): Promise<void> {
    const { filters, typed, sort, limit, offset } = asked
    const sqlFilters = await asked.sqlFilters()
    let found = first
    let unchanged = 0
    for (let attempt = 1; attempt <= 10 * compareTries; attempt++) {
      const [rows, total] = await Promise.all([
        search.readPage(db, sqlFilters, sort, asked, now),
        search.countMatches(db, sqlFilters, now),
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
      const wanted = { filters, typed, sort, limit, offset, counts: false, isFresh: false }
      const again = await index.ask('find', { ...wanted, today: dayNumberInLondon(now) }, now.getTime())
      if (!again) return
      found = again
    }
    if (unchanged < compareTries) return
    directory.compared(false)
    const names = Object.keys(sqlFilters).join(', ')
    log.warn(`The index and SQL differ in a search by ${names || 'nothing'}, ${sort}.`)
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
  meta: string,
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
  parts.push(Buffer.from(`],"meta":${meta}}`))
  return Buffer.concat(parts)
}
