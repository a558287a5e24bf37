import type { Answer, TestApp } from './build-test-app.ts'
import type { Practitioner } from './factories.ts'

export type DocumentKind = 'identity' | 'dbs' | 'insurance_certificate'
type FactOptions = { state?: 'waiting' | 'accepted'; expiresOn?: string | null }

/** Puts a document of a practitioner into the database, with a file that lies in the storage; its id. */
export async function addDocument(
  test: TestApp,
  practitioner: Pick<Practitioner, 'id' | 'accountId'>,
  kind: DocumentKind,
  { state = 'waiting', expiresOn = null }: FactOptions = {},
): Promise<string> {
  const id = crypto.randomUUID()
  const fileId = crypto.randomUUID()
  const now = test.clock.now()
  await test.db
    .insertInto('stored_files')
    .values({
      id: fileId,
      account_id: practitioner.accountId,
      storage_key: `documents/${fileId}.pdf`,
      content_type: 'application/pdf',
      bytes: 3,
      created_at: now,
      ready_at: now,
    })
    .execute()
  await test.db
    .insertInto('practitioner_documents')
    .values({
      id,
      practitioner_id: practitioner.id,
      kind,
      file_id: fileId,
      expires_on: expiresOn,
      state,
      decided_at: state === 'waiting' ? null : now,
      created_at: now,
    })
    .execute()
  return id
}

/** Puts a licence of a practitioner into the database; its id. */
export async function addLicence(
  test: TestApp,
  practitioner: Pick<Practitioner, 'id'>,
  { state = 'waiting', expiresOn = null }: FactOptions = {},
): Promise<number> {
  const { id } = await test.db
    .insertInto('practitioner_licenses')
    .values({
      practitioner_id: practitioner.id,
      provider_type_id: 1,
      license_body_id: 1,
      license_number: `PYL${crypto.randomUUID().slice(0, 8)}`,
      state,
      expires_on: expiresOn,
      created_at: test.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Everything that a profile is approved on, accepted already. */
export async function addAcceptedFacts(
  test: TestApp,
  practitioner: Pick<Practitioner, 'id' | 'accountId'>,
): Promise<void> {
  await addDocument(test, practitioner, 'identity', { state: 'accepted' })
  await addDocument(test, practitioner, 'dbs', { state: 'accepted' })
  await addLicence(test, practitioner, { state: 'accepted' })
}

/** What the back office can do to a practitioner, as an admin with this token. */
export function backOfficeAs(test: TestApp, token: string) {
  const post = (path: string, body?: unknown): Promise<Answer> =>
    test.call('POST', `/admin/practitioners/${path}`, { token, body })
  return {
    file: (id: number) => test.call('GET', `/admin/practitioners/${id}`, { token }),
    act: (id: number, action: string, body?: unknown) => post(`${id}/${action}`, body),
    document: (id: number, documentId: string, action: string, body: unknown = {}) =>
      post(`${id}/documents/${documentId}/${action}`, body),
    licence: (id: number, licenceId: number, action: string, body: unknown = {}) =>
      post(`${id}/licences/${licenceId}/${action}`, body),
  }
}
