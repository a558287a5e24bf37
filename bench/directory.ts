import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { migrate } from '#server/db/migrate.ts'
import { demoPractitioners } from '#server/db/seed/demo.ts'
import type { DemoPractitioner } from '#server/db/seed/demo/types.ts'
import { fillReference } from '#server/db/seed/insert.ts'
import { insertPractitioners } from '#server/db/seed/insert-practitioners.ts'
import { systemRandom } from '#server/ids.ts'

const seed = 20_260_601
const batch = 1000
/** Batches written at once: one is generated while the others are on their way. */
const atOnce = 3

export type Person = Pick<
  DemoPractitioner,
  | 'firstName'
  | 'lastName'
  | 'providerTypeIds'
  | 'genderId'
  | 'timezone'
  | 'issueIds'
  | 'therapyTypeIds'
  | 'languageIds'
  | 'insuranceCompanyIds'
  | 'services'
  | 'schedule'
  | 'portrait'
> & { id: number; ratings: number[]; hasVideo: boolean; aboutLength: number }

/** The facts of generated practitioners that a search looks at; ids count from 1. */
export function* people(
  count: number,
  today: string,
): Generator<{ person: DemoPractitioner; facts: Person }> {
  let id = 0
  for (const person of demoPractitioners({ count, seed, today })) {
    id++
    yield {
      person,
      facts: {
        id,
        firstName: person.firstName,
        lastName: person.lastName,
        providerTypeIds: person.providerTypeIds,
        genderId: person.genderId,
        timezone: person.timezone,
        issueIds: person.issueIds,
        therapyTypeIds: person.therapyTypeIds,
        languageIds: person.languageIds,
        insuranceCompanyIds: person.insuranceCompanyIds,
        services: person.services,
        schedule: person.schedule,
        ratings: person.reviews.map((review) => review.rating),
        portrait: person.portrait,
        hasVideo: person.videoUrl !== null,
        aboutLength: Array.from(person.about).length,
      },
    }
  }
}

/** Fills an empty database with so many listed practitioners. The facts of each. */
export async function loadDirectory(db: Db, count: number, now: Date): Promise<Person[]> {
  await migrate(db)
  await fillReference(db)
  const facts: Person[] = []
  const writing = new Set<Promise<void>>()
  let waiting: DemoPractitioner[] = []
  const write = async () => {
    const group = waiting
    const firstId = facts.length - group.length + 1
    waiting = []
    const written = db
      .transaction()
      .execute((tx) =>
        insertPractitioners(tx, group, firstId, { now, random: systemRandom, passwordHashes: new Map() }),
      )
      .finally(() => writing.delete(written))
    writing.add(written)
    if (writing.size >= atOnce) await Promise.race(writing)
  }
  for (const each of people(count, now.toISOString().slice(0, 10))) {
    facts.push(each.facts)
    waiting.push(each.person)
    if (waiting.length === batch) await write()
  }
  if (waiting.length > 0) await write()
  await Promise.all(writing)
  await sql`analyze`.execute(db)
  return facts
}
