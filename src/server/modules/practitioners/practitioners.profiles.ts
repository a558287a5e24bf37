import type { Location } from '#contract/practitioners/practitioners.ts'
import { dayInLondon } from '../../clock.ts'
import type { Lookups } from '../../contributions/lookups.ts'
import type { Db } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import type { Gazetteer } from '../../integrations/gazetteer/port.ts'
import { lookUp, publicPoint } from './places.rules.ts'
import {
  type LastingProfile,
  pointOf,
  type Rating,
  toLocation,
  toProfile,
  toPublicLocation,
} from './practitioners.mapper.ts'
import { isListed, readsUnlisted, reviewsOnProfile } from './practitioners.rules.ts'
import * as store from './practitioners.store.ts'
import * as standing from './standing.store.ts'

export type ProfileDependencies = Pick<Deps, 'db' | 'reads' | 'clock'> & {
  gazetteer: Gazetteer
  lookups(): Pick<Lookups, 'ratings' | 'newestReviews' | 'weeklyHours' | 'meetsInPerson'>
}

const unrated: Rating = { hundredths: 0, total: 0 }

/** Profiles of practitioners, without free times. */
export function createProfiles({ db, reads, clock, gazetteer, lookups }: ProfileDependencies) {
  return {
    readRated,

    /**
     * The profile of a listed practitioner. The practitioner, admins and clients with a confirmed face-to-face session read
     * its full addresses. @throws 404
     */
    async listedProfile(caller: Caller, id: number): Promise<LastingProfile> {
      if (caller.role === 'visitor') return readListed(id, publicLocation)
      const [row] = await standing.readStates(db, [id])
      if (!row) throw notFound('This practitioner')
      return readListed(id, await addressesFor(caller, row))
    },

    /** As `listedProfile`; the practitioner and admins also read one that is not listed. @throws 404 */
    async profileFor(caller: Caller, id: number): Promise<LastingProfile> {
      const [row] = await standing.readStates(db, [id])
      if (!row) throw notFound('This practitioner')
      const addresses = await addressesFor(caller, row)
      if (isListed(row, clock.now()) || !readsUnlisted(caller, row)) return readListed(id, addresses)
      const whole = await readWhole(id, 'any', addresses)
      if (!whole) throw notFound('This practitioner')
      return whole.profile
    },

    /** The profile as it will be public, in any state, with licences that still wait for vetting. */
    async draftProfile(id: number): Promise<LastingProfile | undefined> {
      return (await readWhole(id, 'any', publicLocation))?.profile
    },

    publicLocation,
  }

  function publicLocation(row: store.LocationRow): Location {
    const district = row.district_name ?? lookUp(gazetteer, row).district_name
    return { ...toPublicLocation(row, publicPoint(gazetteer, row, pointOf(row))), district }
  }

  /** How a caller sees the places of a practitioner. */
  async function addressesFor(
    caller: Caller,
    practitioner: { id: number; account_id: string },
  ): Promise<(row: store.LocationRow) => Location> {
    if (readsUnlisted(caller, practitioner)) return toLocation
    const isMeeting =
      caller.role === 'client' && (await lookups().meetsInPerson(db, caller.accountId, practitioner.id))
    return isMeeting ? toLocation : publicLocation
  }

  /** Facts of practitioners with their ratings, listed or not. */
  async function readRated(handle: Db, ids: number[]): Promise<(store.FactsRow & { rating: Rating })[]> {
    if (ids.length === 0) return []
    const rows = await store.readFacts(handle, ids)
    const ratings = await lookups().ratings(handle, ids)
    return rows.map((row) => ({ ...row, rating: ratings.get(row.id) ?? unrated }))
  }

  async function readWhole(
    id: number,
    licences: Parameters<typeof store.readProfile>[2],
    addresses: (row: store.LocationRow) => Location,
  ) {
    const [[facts], profile, reviews, weeks] = await Promise.all([
      readRated(db, [id]),
      store.readProfile(db, id, licences),
      lookups().newestReviews(reads.about([id]), id, reviewsOnProfile),
      lookups().weeklyHours(db, [id]),
    ])
    const hours = weeks.get(id)
    if (!facts || !profile || !hours) return undefined
    return { facts, profile: toProfile(facts, profile, { rating: facts.rating, reviews, hours, addresses }) }
  }

  async function readListed(
    id: number,
    addresses: (row: store.LocationRow) => Location,
  ): Promise<LastingProfile> {
    const whole = await readWhole(id, { goodOn: dayInLondon(clock.now()) }, addresses)
    if (!whole || !isListed(whole.facts, clock.now())) throw notFound('This practitioner')
    return whole.profile
  }
}
