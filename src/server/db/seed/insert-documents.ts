import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import type { Random } from '../../ids.ts'
import { escapeMarkup } from '../../markup.ts'
import type { Db } from '../connection.ts'
import { host } from './demo/host.ts'
import type { DemoPractitioner } from './demo/types.ts'
import { insertRows } from './insert-rows.ts'

const kinds = {
  identity: 'Identity document',
  dbs: 'DBS certificate',
  insurance_certificate: 'Insurance certificate',
} as const
type Kind = keyof typeof kinds
type Person = Pick<
  DemoPractitioner,
  'email' | 'firstName' | 'lastName' | 'dateOfBirth' | 'state' | 'insuranceCertificateExpires'
>

/** Documents that wait for the back office, and those of the demo practitioner, which it has accepted. */
const handedIn = (people: readonly Person[]) =>
  people.flatMap((person) => {
    const waiting: Kind[] = person.state === 'submitted' ? ['identity', 'dbs'] : []
    const accepted: Kind[] = person.email === host.email ? ['identity', 'dbs', 'insurance_certificate'] : []
    return [
      ...waiting.map((kind) => ({ person, kind, isAccepted: false })),
      ...accepted.map((kind) => ({ person, kind, isAccepted: true })),
    ]
  })

/**
 * Draws made-up documents of practitioners of the demo, so that the back office has something to look at. Can be begun
 * again at any point.
 */
export async function drawDocuments(people: readonly Person[], directory: string): Promise<void> {
  await mkdir(join(directory, 'documents'), { recursive: true })
  for (const { person, kind } of handedIn(people)) {
    const path = join(directory, keyOf(person, kind))
    const bytes = await sharp(Buffer.from(paper(person, kind)))
      .flatten({ background: '#fff' })
      .jpeg()
      .toBuffer()
    // Another instance may draw into the same folder. No key has a name with a leading dot.
    const unfinished = join(dirname(path), `.unfinished-${randomUUID()}`)
    await writeFile(unfinished, bytes)
    await rename(unfinished, path)
  }
}

/** Inserts the drawn documents. An accepted insurance certificate bounds the time for which its owner is vetted. */
export async function insertDocuments(
  db: Db,
  people: readonly Person[],
  directory: string,
  { now, random }: { now: Date; random: Random },
): Promise<void> {
  const emails = handedIn(people).map(({ person }) => person.email)
  if (emails.length === 0) return
  const owners = await db
    .selectFrom('practitioners as p')
    .innerJoin('accounts as a', 'a.id', 'p.account_id')
    .select(['p.id', 'a.id as account_id', 'a.email', 'p.state_changed_at'])
    .where('a.email', 'in', emails)
    .execute()
  const all = await Promise.all(
    handedIn(people).map(async ({ person, kind, isAccepted }) => {
      const owner = owners.find(({ email }) => email === person.email)
      if (!owner) throw new Error('A demo practitioner is missing.')
      const key = keyOf(person, kind)
      const { size } = await stat(join(directory, key))
      const at = owner.state_changed_at ?? now
      const expiresOn = kind === 'insurance_certificate' ? person.insuranceCertificateExpires : null
      return { owner, kind, key, size, fileId: random.uuid(now), at, isAccepted, expiresOn }
    }),
  )
  await insertRows(
    db,
    'stored_files',
    all.map(({ owner, key, size, fileId, at }) => ({
      id: fileId,
      account_id: owner.account_id,
      storage_key: key,
      content_type: 'image/jpeg',
      bytes: size,
      created_at: at,
      ready_at: at,
    })),
  )
  await insertRows(
    db,
    'practitioner_documents',
    all.map(({ owner, kind, fileId, at, isAccepted, expiresOn }) => ({
      id: random.uuid(now),
      practitioner_id: owner.id,
      kind,
      file_id: fileId,
      expires_on: expiresOn,
      state: isAccepted ? ('accepted' as const) : ('waiting' as const),
      decided_at: isAccepted ? at : null,
      created_at: at,
    })),
  )
  for (const { owner, expiresOn } of all) {
    if (expiresOn === null) continue
    await db
      .updateTable('practitioners')
      .set({
        has_indemnity: true,
        vetted_until: sql<Date>`(${expiresOn}::date + 1)::timestamp at time zone 'Europe/London'`,
      })
      .where('id', '=', owner.id)
      .execute()
  }
}

function keyOf({ email }: Person, kind: Kind): string {
  return `documents/${createHash('sha256').update(`${email} ${kind}`).digest('hex').slice(0, 24)}.jpg`
}

function paper({ firstName, lastName, dateOfBirth }: Person, kind: Kind): string {
  const line = (y: number, size: number, text: string, fill = '#25211b') =>
    `<text x="60" y="${y}" font-family="sans-serif" font-size="${size}" fill="${fill}">${escapeMarkup(text)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="560">
    <rect x="12" y="12" width="876" height="536" rx="28" fill="#faf5ec" stroke="#d8cdb9" stroke-width="4"/>
    ${line(110, 46, kinds[kind], '#1f5b45')}${line(220, 22, 'Name')}${line(262, 40, `${firstName} ${lastName}`)}
    ${line(340, 22, 'Date of birth')}${line(382, 40, dateOfBirth ?? 'not given')}
    ${line(500, 24, 'Made up for the demonstration. Not a real document.', '#a8402d')}
  </svg>`
}
