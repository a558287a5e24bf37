import type { AppointmentType } from '#contract/common.ts'
import type {
  FilterData,
  PractitionerCard,
  PractitionerProfile,
} from '#contract/practitioners/practitioners.ts'
import { defaultRadius } from '#contract/places.ts'
import { type FoundPractitioner, type PractitionerList, PractitionerQuery } from '#contract/search.ts'
import { filtersOfKind } from '#contract/search-filters.ts'
import { minutes } from '../../clock.ts'
import type { Db, Tx } from '../../db/connection.ts'
import { inTransaction, withCommit } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Gazetteer } from '../../integrations/gazetteer/port.ts'
import { JsonText } from '../../json-text.ts'
import { remembered } from '../../remembered.ts'
import { type Caller, type SignedIn, visitor } from '../../http/caller.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Schedules } from '../availability/schedule.service.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { createFreeTime } from './free-time.service.ts'
import * as freeTime from './free-time.store.ts'
import type { Option } from './directory/directory.rules.ts'
import { toOptions } from './directory/directory.mapper.ts'
import type { Directory } from './directory/directory.service.ts'
import { DirectoryGone } from './directory/directory-calls.ts'
import { createIndexedSearch } from './directory/indexed-search.ts'
import { fragmentsOf, matchWord, nameWords, typedWords } from './names.rules.ts'
import { inPounds, toCard, toEntry, toNextAvailable } from './search.mapper.ts'
import {
  dayNumberInLondon,
  daysLeftOfWeek,
  type Filters,
  filtersInUse,
  filtersOf,
  type MatchedWord,
  without,
} from './search.rules.ts'
import * as store from './search.store.ts'

type Dependencies = Pick<Deps, 'db' | 'reads' | 'clock' | 'log'> & {
  directory: Directory
  practitioners: Pick<
    Practitioners,
    'listedProfile' | 'listings' | 'lookUpPlaces' | 'lock' | 'approvedAfter' | 'referenceLists' | 'genderId'
  >
  gazetteer: Gazetteer
  availability: Pick<Availability, 'outlook'>
  schedules: Pick<Schedules, 'weeklyHours'>
  bookings: Pick<Bookings, 'detail'>
}

/** A cancelled session for which a client seeks an alternative. */
type SessionToReplace = { practitionerId: number; startsAt: Date; type: AppointmentType }

const perPage = 20
/** Few enough for a client to read right after a cancellation. */
const alternativesAtMost = 3
const batch = 500
/** Rows whose free time is computed anew at a time, which holds other requests up for some five milliseconds. */
const refreshedAtOnce = 100
/** Most batches of rows whose places a job writes at a time. */
const placedRounds = 20

export type Search = ReturnType<typeof createSearch>

/** Searches practitioners by an index with a row for each. Events of other modules keep it up to date. */
export function createSearch({
  db,
  reads,
  clock,
  gazetteer,
  log,
  directory,
  practitioners,
  availability,
  schedules,
  bookings,
}: Dependencies) {
  // The lists change with releases alone, and every search page reads them.
  const referenceLists = remembered(clock, minutes(1), () => practitioners.referenceLists(db))
  const { refreshMarked, refreshSome, refreshAmong, withFreshTimes } = createFreeTime({
    db,
    clock,
    directory,
    availability,
  })
  const genderIds = remembered(clock, minutes(1), () => readGenderIds(db, practitioners))
  const indexed = createIndexedSearch({
    db,
    reads,
    log,
    directory,
    refreshMarked,
    refreshAmong,
    hoursOf: (handle, ids) => schedules.weeklyHours(handle, ids),
  })

  return {
    /** The options of all filters. */
    async filterData(): Promise<FilterData> {
      const now = clock.now()
      const index = await directory.current()
      const known = await index?.ask('bounds', now.getTime()).catch(unlessGone)
      const bounds = known ?? (await store.readBounds(db, now))
      const lists = await referenceLists()
      return { ...lists, ...inPounds(bounds) }
    },

    /** How many practitioners match a stored query; none if its filters are not understood, or its place is not known. */
    async total(stored: Record<string, string>): Promise<number> {
      const { data: query } = PractitionerQuery.safeParse(stored)
      const near = query && nearOf(query)
      if (!query || (near && !('place' in near))) return 0
      const now = clock.now()
      const filters = await withNames(await resolve(query, near, now), typedIn(query))
      if (filters.dates) await refreshMarked()
      return store.countMatches(db, filters, now)
    },

    /** A page of the practitioners who match every filter, with the exact total. */
    async find(query: PractitionerQuery): Promise<PractitionerList | JsonText<PractitionerList>> {
      const now = clock.now()
      const near = nearOf(query)
      const index = await directory.current()
      const unnamed = await resolve(query, near, now)
      const typed = typedIn(query)
      const sort = query.sort ?? 'recommended'
      const page = query.page ?? 1
      const limit = query.per_page ?? perPage
      const asked = { sort, page, limit, offset: (page - 1) * limit, counts: query.counts ?? false }
      const place = near && ('place' in near ? { near: near.place.label } : { near_unknown: near.unknown })
      const sqlFilters = () => withNames(unnamed, typed)
      if (index) {
        const wanted = { ...asked, filters: unnamed, typed, sqlFilters, meta: place ?? {} }
        const answer = await indexed.find(index, wanted, now).catch(unlessGone)
        if (answer) return answer
      }
      const filters = await sqlFilters()
      if (filters.dates || sort === 'soonest') await refreshMarked()
      const [rows, total, bounds] = await Promise.all([
        store.readPage(db, filters, sort, asked, now).then(withFreshTimes),
        store.countMatches(db, filters, now),
        store.readBounds(db, now),
      ])
      const freshUntil = Math.min(...rows.map((row) => row.fresh_until.getTime()))
      return {
        data: await toCards(db, rows, filters),
        meta: {
          total,
          page,
          per_page: limit,
          ...inPounds(bounds),
          ...place,
          fresh_until: rows.length > 0 ? new Date(freshUntil).toISOString() : null,
          ...(total === 0 ? { relax: await relaxations(filters, now) } : {}),
        },
      }
    },

    comparable,

    /** Up to three other practitioners for the client of a session. @throws 404 for another client's session */
    async alternatives(caller: SignedIn, appointmentId: string): Promise<{ data: PractitionerCard[] }> {
      const {
        practitioner,
        starts_at: startsAt,
        appointment_type: type,
      } = await bookings.detail(caller, appointmentId)
      if (!startsAt || !type) return { data: [] }
      const session = { practitionerId: practitioner.practitioner_id, startsAt: new Date(startsAt), type }
      return { data: await comparable(db, session) }
    },

    profile,

    /** The cards of listed practitioners, in the order of the ids. Those not listed are left out. */
    async cards(ids: number[]): Promise<{ data: FoundPractitioner[] }> {
      if (ids.length === 0) return { data: [] }
      const rows = await withFreshTimes(await store.readCards(db, ids, clock.now()))
      const found = new Map(rows.map((row) => [row.practitioner_id, row]))
      const inOrder = [...new Set(ids)].flatMap((id) => found.get(id) ?? [])
      return { data: await toCards(db, inOrder) }
    },

    /** The profiles of listed practitioners, in the order of the ids. Those not listed are left out. */
    async compare(ids: number[]): Promise<{ data: PractitionerProfile[] }> {
      const listed = new Set((await store.readCards(db, ids, clock.now())).map((row) => row.practitioner_id))
      const chosen = [...new Set(ids)].filter((id) => listed.has(id))
      return { data: await Promise.all(chosen.map((id) => profile(visitor, id))) }
    },

    /** For the sitemap: listed practitioners with an id above `after`, with the last change of their profile. */
    listedAfter: (after: number, limit: number) => store.readListedAfter(reads.db, after, limit, clock.now()),

    /** The first id of each `size` listed practitioners in order. */
    listedStarts: (size: number) => store.readListedStarts(reads.db, size, clock.now()),

    /** Rewrites the search row of a practitioner, or deletes it when they are not listed. */
    async project(tx: Tx, practitionerId: number): Promise<void> {
      if (!(await practitioners.lock(tx, practitionerId))) return
      await store.lockRow(tx, practitionerId)
      await write(tx, [practitionerId])
      directory.changed(tx, [practitionerId])
    },

    /** Marks the free time of a practitioner as changed. The first who reads it computes it anew, or the job. */
    async markFreeTime(tx: Tx, practitionerId: number): Promise<void> {
      withCommit(tx, freeTime.insertMark.of({ practitionerId }))
      directory.marked(tx, practitionerId)
    },

    /** Refreshes all rows whose free time is out of date, and deletes those no longer listed. */
    async refresh(): Promise<void> {
      await store.deleteEnded(db, clock.now())
      await inTransaction(db, (tx) => freeTime.deleteOrphanMarks(tx, batch))
      for (let isMore = true; isMore; ) {
        const some = await refreshSome(refreshedAtOnce, 'skip')
        isMore = some.isMore && some.rows > 0
      }
      for (let round = 0; round < placedRounds && (await placeSome(batch)) === batch; round++);
    },

    /** Rebuilds the index. Needs a transaction while the server answers searches. */
    async rebuild(handle: Db): Promise<void> {
      await store.deleteEverything(handle)
      for (let after = 0; ; ) {
        const ids = await practitioners.approvedAfter(handle, after, batch)
        const last = ids.at(-1)
        if (last === undefined) break
        await write(handle, ids)
        after = last
      }
      await directory.refresh()
    },

    /** Reads what was written to the search rows by other means than this service. */
    catchUp: () => directory.refresh(),
  }

  /** The public profile with the next free times. @throws 404 unless listed */
  async function profile(caller: Caller, id: number): Promise<PractitionerProfile> {
    const shown = await practitioners.listedProfile(caller, id)
    const outlook = (await availability.outlook(db, [id], clock.now())).get(id)
    return {
      ...shown,
      next_available: toNextAvailable(outlook?.nextFree ?? { online: null, face_to_face: null }),
    }
  }

  /**
   * Up to three listed practitioners who treat the same issues as the session's, offer its format and are free in its
   * week. Reads the index without refreshing it, since it runs in transactions of other modules.
   */
  async function comparable(handle: Db, session: SessionToReplace): Promise<PractitionerCard[]> {
    const now = clock.now()
    const { practitionerId, startsAt, type } = session
    const offer = await store.readOffer(handle, practitionerId, type)
    const facets =
      offer.issue_ids.length > 0 ? { issue_id: offer.issue_ids } : { provider_id: offer.provider_ids }
    const dates = daysLeftOfWeek(dayNumberInLondon(startsAt), dayNumberInLondon(now))
    const filters = { ...facets, session_type: type, dates }
    const rows = await store.readComparable(
      handle,
      filters,
      { ...offer, practitionerId },
      alternativesAtMost,
      now,
    )
    return toCards(handle, rows)
  }

  async function toCards(
    handle: Db,
    rows: store.FoundRow[],
    filters?: Pick<Filters, 'session_type' | 'near'>,
  ): Promise<FoundPractitioner[]> {
    if (rows.length === 0) return []
    const ids = rows.map((row) => row.practitioner_id)
    const weeks = await schedules.weeklyHours(handle, ids)
    return rows.flatMap((row) => {
      const hours = weeks.get(row.practitioner_id)
      return hours ? [toCard(row, hours, filters)] : []
    })
  }

  /** The place that a search names. It applies to sessions face to face alone. */
  function nearOf({ near, session_type: type }: PractitionerQuery) {
    return near && type === 'face_to_face' ? gazetteer.find(near) : undefined
  }

  /** All filters of a search but that by name. */
  async function resolve(
    query: PractitionerQuery,
    near: ReturnType<typeof nearOf>,
    now: Date,
  ): Promise<Filters> {
    const filters = filtersOf(query, dayNumberInLondon(now))
    if (near && 'place' in near) filters.near = { ...near.place, miles: query.within ?? defaultRadius }
    for (const name of filtersOfKind('named')) {
      const id = query[name] ? (await genderIds()).get(query[name]) : undefined
      if (id !== undefined) filters[name] = id
    }
    return filters
  }

  async function withNames(filters: Filters, typed: string[]): Promise<Filters> {
    return typed.length > 0 ? { ...filters, name: await matchNames(typed) } : filters
  }

  async function matchNames(typed: string[]): Promise<MatchedWord[]> {
    const words = await store.readWords(db, typed.flatMap(fragmentsOf))
    return typed.map((part) => {
      const matched: MatchedWord = { exact: [], close: [] }
      for (const { id, word } of words) {
        const how = matchWord(part, word)
        if (how) matched[how].push(id)
      }
      return matched
    })
  }

  async function relaxations(filters: Filters, now: Date) {
    const counted = await Promise.all(
      filtersInUse(filters).map(async (filter) => ({
        filter,
        total: await store.countMatches(db, without(filters, filter), now),
      })),
    )
    return counted.filter(({ total }) => total > 0).sort((a, b) => b.total - a.total)
  }

  /** Writes the places of rows whose practitioners have changed an address, or that an import has made unknown. Returns the number of rows. */
  async function placeSome(limit: number): Promise<number> {
    const unplaced = await store.readUnplaced(db, limit)
    if (unplaced.length === 0) return 0
    await inTransaction(db, (tx) => practitioners.lookUpPlaces(tx, unplaced))
    return inTransaction(db, async (tx) => {
      const rows = await freeTime.lockRows(tx, unplaced, clock.now(), 'skip')
      await write(
        tx,
        rows.map((row) => row.practitioner_id),
      )
      return rows.length
    })
  }

  async function write(handle: Db, ids: number[]): Promise<void> {
    await freeTime.deleteMarks(handle, ids)
    const listings = await practitioners.listings(handle, ids)
    const listed = new Set(listings.map((listing) => listing.id))
    await store.deleteRows(
      handle,
      ids.filter((id) => !listed.has(id)),
    )
    if (listings.length === 0) return
    const outlooks = await availability.outlook(handle, [...listed], clock.now())
    const wordsOf = new Map(listings.map(({ id, card }) => [id, nameWords(card.full_name)]))
    const wordIds = await store.wordIds(handle, [...new Set([...wordsOf.values()].flat())])
    await store.writeRows(
      handle,
      listings.flatMap((listing) => {
        const outlook = outlooks.get(listing.id)
        const words = (wordsOf.get(listing.id) ?? []).flatMap((word) => wordIds.get(word) ?? [])
        return outlook ? [toEntry(listing, words, outlook)] : []
      }),
    )
  }
}

const typedIn = ({ name }: PractitionerQuery): string[] => (name ? typedWords(name) : [])

/** For a search by an index that has been given up meanwhile: SQL answers instead. @throws any other error */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof DirectoryGone)) throw error
}

/** The ids of genders by name. */
async function readGenderIds(db: Db, { referenceLists, genderId }: Dependencies['practitioners']) {
  const { genders } = await referenceLists(db)
  const pairs = await Promise.all(genders.map(async (name) => [name, await genderId(db, name)] as const))
  return new Map(pairs.flatMap(([name, id]) => (id === undefined ? [] : [[name, id] as const])))
}

/** Every value that searches count. */
export async function readOptions(db: Db, practitioners: Dependencies['practitioners']): Promise<Option[]> {
  const [lists, genderIds] = await Promise.all([
    practitioners.referenceLists(db),
    readGenderIds(db, practitioners),
  ])
  return toOptions(lists, genderIds)
}
