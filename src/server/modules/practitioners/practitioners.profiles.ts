import { dayInLondon } from '../../clock.ts'
import type { Lookups } from '../../contributions/lookups.ts'
import type { Db } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import { type LastingProfile, type Rating, toProfile } from './practitioners.mapper.ts'
import { isListed, readsUnlisted, reviewsOnProfile } from './practitioners.rules.ts'
import * as store from './practitioners.store.ts'
import * as standing from './standing.store.ts'

export type ProfileDependencies = Pick<Deps, 'db' | 'reads' | 'clock'> & {
  lookups(): Pick<Lookups, 'ratings' | 'newestReviews' | 'weeklyHours'>
}

const unrated: Rating = { hundredths: 0, total: 0 }

/** Profiles of practitioners, without free times. */
export function createProfiles({ db, reads, clock, lookups }: ProfileDependencies) {
  return {
    readRated,

    /** The public profile. @throws 404 unless listed */
    profile: readPublic,

    /** As `profile`; the practitioner and admins also read one that is not listed. @throws 404 */
    async profileFor(caller: Caller, id: number): Promise<LastingProfile> {
      const [row] = await standing.readStates(db, [id])
      if (!row || isListed(row, clock.now()) || !readsUnlisted(caller, row)) return readPublic(id)
      const whole = await readWhole(id, 'any')
      if (!whole) throw notFound('This practitioner')
      return whole.profile
    },

    /** The profile as it will be public, in any state, with licences that still wait for vetting. */
    async draftProfile(id: number): Promise<LastingProfile | undefined> {
      return (await readWhole(id, 'any'))?.profile
    },
  }

  /** Facts of practitioners with their ratings, listed or not. */
  async function readRated(handle: Db, ids: number[]): Promise<(store.FactsRow & { rating: Rating })[]> {
    if (ids.length === 0) return []
    const rows = await store.readFacts(handle, ids)
    const ratings = await lookups().ratings(handle, ids)
    return rows.map((row) => ({ ...row, rating: ratings.get(row.id) ?? unrated }))
  }

  async function readWhole(id: number, licences: Parameters<typeof store.readProfile>[2]) {
    const [[facts], profile, reviews, weeks] = await Promise.all([
      readRated(db, [id]),
      store.readProfile(db, id, licences),
      lookups().newestReviews(reads.about([id]), id, reviewsOnProfile),
      lookups().weeklyHours(db, [id]),
    ])
    const hours = weeks.get(id)
    if (!facts || !profile || !hours) return undefined
    return { facts, profile: toProfile(facts, profile, { rating: facts.rating, reviews, hours }) }
  }

  async function readPublic(id: number): Promise<LastingProfile> {
    const whole = await readWhole(id, { goodOn: dayInLondon(clock.now()) })
    if (!whole || !isListed(whole.facts, clock.now())) throw notFound('This practitioner')
    return whole.profile
  }
}
