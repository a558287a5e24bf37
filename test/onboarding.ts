import type { TestApp } from './build-test-app.ts'
import { password } from './factories.ts'

let serial = 0

export type NewTherapist = { token: string; id: number; accountId: string; email: string }

/** Registers a practitioner through the front door: the profile is an empty draft. */
export async function registerTherapist(test: TestApp): Promise<NewTherapist> {
  const email = `therapist${++serial}@example.test`
  const answer = await test.call('POST', '/therapist/register', {
    body: { name: 'Mary', last_name: 'Okafor', email, password, accept_terms: true },
  })
  if (answer.status !== 201) throw new Error(`register: ${answer.status} ${JSON.stringify(answer.body)}`)
  const { account_id, id } = await test.db
    .selectFrom('practitioners')
    .innerJoin('accounts', 'accounts.id', 'practitioners.account_id')
    .select(['account_id', 'practitioners.id'])
    .where('email', '=', email)
    .where('role', '=', 'therapist')
    .executeTakeFirstOrThrow()
  return { token: String(answer.body.token), id, accountId: account_id, email }
}

type Upload = {
  token?: string
  field?: string
  content: Uint8Array | Blob
  name?: string
  /** The type that the sender declares; the server ignores it. */
  type?: string
  fields?: Record<string, string>
  headers?: Record<string, string>
}

/** Sends one file as a form, as a browser does. */
export async function uploadFile(test: TestApp, path: string, upload: Upload) {
  const form = new FormData()
  for (const [name, value] of Object.entries(upload.fields ?? {})) form.append(name, value)
  const blob =
    upload.content instanceof Blob
      ? upload.content
      : new Blob([new Uint8Array(upload.content)], { type: upload.type ?? 'application/octet-stream' })
  form.append(upload.field ?? 'file', blob, upload.name ?? 'file')
  const response = await fetch(`${test.origin}/api/v7${path}`, {
    method: 'POST',
    headers: {
      ...(upload.token ? { authorization: `Bearer ${upload.token}` } : {}),
      ...upload.headers,
    },
    body: form,
  })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : null, headers: response.headers }
}
