import type { FoundPractitioner } from '#contract/search.ts'
import { minutes } from '../../clock.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { remembered } from '../../remembered.ts'
import type { Search } from './search.service.ts'
import { ofFacet } from './search.rules.ts'
import * as store from './similar.store.ts'

const similarAtMost = 3
/** Read beyond what is shown: some may no longer be listed when the list is read again. */
const keptPerProfile = 6
const profilesKept = 1000

export type Similar = ReturnType<typeof createSimilar>

/** Finds practitioners like another one. Who is alike is kept for some minutes; the cards are always current. */
export function createSimilar({ db, clock, search }: Pick<Deps, 'db' | 'clock'> & { search: Search }) {
  const known = new Map<number, () => Promise<number[]>>()

  async function read(practitionerId: number): Promise<number[]> {
    const now = clock.now()
    const described = await store.readDescribed(db, practitionerId, now)
    if (!described) throw notFound('This profile')
    const { tags, fee_pence: feePence } = described
    return store.readSimilar(
      db,
      {
        practitionerId,
        issues: ofFacet('issue_id', tags),
        approaches: ofFacet('therapy_type_id', tags),
        professions: ofFacet('provider_id', tags),
        feePence,
      },
      keptPerProfile,
      now,
    )
  }

  /** Up to three others, by what they treat, how and for how much. @throws 404 unless the practitioner is listed */
  return async function similar(practitionerId: number): Promise<{ data: FoundPractitioner[] }> {
    const ids = known.get(practitionerId) ?? remembered(clock, minutes(10), () => read(practitionerId))
    known.delete(practitionerId)
    known.set(practitionerId, ids)
    const [oldest] = known.keys()
    if (known.size > profilesKept && oldest !== undefined) known.delete(oldest)
    const { data } = await search.cards(await ids())
    return { data: data.slice(0, similarAtMost) }
  }
}
