import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { type PrivateS3, startS3 } from '#test/private-s3.ts'
import { createAdmin } from '#test/factories.ts'
import { type NewTherapist, registerTherapist, uploadFile } from '#test/onboarding.ts'
import { photoWithPosition } from '#test/upload-samples.ts'
import { s3Storage } from '../integrations/object-storage/s3.ts'
import { filesOrigin } from '../adapters/storage.ts'

/* Files in a bucket that browsers are redirected to: who gets a signed address, and what it permits. */

let s3: PrivateS3
let app: TestApp
let therapist: NewTherapist
let portrait: string
let documentId: string

const storage = () => s3Storage({ ...s3.options, direct: true })

beforeAll(async () => {
  s3 = await startS3()
  app = await buildTestApp({ storage })
  therapist = await registerTherapist(app)
  const content = await photoWithPosition(300, 300)
  const image = await uploadFile(app, '/therapist/upload-profile-image', {
    token: therapist.token,
    field: 'image',
    content,
  })
  portrait = String(image.body.main_image)
  const document = await uploadFile(app, '/therapist/upload-document-file', {
    token: therapist.token,
    content,
  })
  documentId = String(document.body.documents[0].document_id)
})
afterEach(() => s3.setAhead(0))
afterAll(async () => {
  await app.close()
  await s3.stop()
})

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${app.origin}${path}`, { redirect: 'manual', ...init })
const addressOf = (answer: Response) => new URL(answer.headers.get('location') ?? 'about:blank')

/** The link to the document, and the address that it leads to. */
async function linked(): Promise<{ link: string; address: URL; answer: Response }> {
  const { body } = await app.call('POST', `/documents/${documentId}/link`, { token: therapist.token })
  const link = String(body.url)
  const answer = await ask(link)
  return { link, address: addressOf(answer), answer }
}

test('a portrait is read from the bucket, at the same address for a while', async () => {
  const answer = await ask(portrait)
  const address = addressOf(answer)
  expect(answer.status).toBe(302)
  expect(address.origin).toBe(s3.options.endpoint)
  expect(await filesOrigin(storage())).toBe(address.origin)
  expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=\d{1,4}$/)
  const again = addressOf(await ask(portrait))
  // Unless an hour has just ended.
  if (again.searchParams.get('X-Amz-Date') === address.searchParams.get('X-Amz-Date')) {
    expect(again.href).toBe(address.href)
  }
  const picture = await fetch(address)
  expect(picture.status).toBe(200)
  expect(picture.headers.get('content-type')).toBe('image/webp')
  expect(picture.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(100)
  const part = await fetch(address, { headers: { range: 'bytes=0-3' } })
  expect([part.status, await part.text()]).toEqual([206, 'RIFF'])
  // For as long as the redirection may be kept, and some more.
  const kept = Number(/\d+$/.exec(answer.headers.get('cache-control') ?? '')?.[0])
  await s3.setAhead(kept + 3500)
  expect((await fetch(address)).status).toBe(200)
  await s3.setAhead(2 * 3600)
  expect((await fetch(address)).status).toBe(403)
})

test('a look without the file itself is answered by the product', async () => {
  const answer = await ask(portrait, { method: 'HEAD' })
  expect(answer.status).toBe(200)
  expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(100)
})

test('a path that is not public is a 404 without a redirect to the bucket', async () => {
  const { address } = await linked()
  const key = address.pathname.replace(`/${s3.options.bucket}/`, '')
  expect(key).toMatch(/^documents\//)
  for (const path of [
    `/media/${key}`,
    '/media/',
    '/media/portraits/../documents/x.pdf',
    `/media/${key}.webp`,
  ]) {
    const answer = await ask(path)
    expect({ path, status: answer.status, location: answer.headers.get('location') }).toEqual({
      path,
      status: 404,
      location: null,
    })
  }
})

test('a document is read from the bucket for a minute, kept nowhere, and by a name that tells nothing', async () => {
  const { address, answer } = await linked()
  expect(answer.status).toBe(302)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  const document = await fetch(address)
  expect(document.status).toBe(200)
  expect(document.headers.get('content-type')).toBe('image/jpeg')
  expect(document.headers.get('cache-control')).toBe('no-store')
  expect(document.headers.get('content-disposition')).toBe('inline; filename="document.jpg"')
  await document.arrayBuffer()
  await s3.setAhead(50)
  expect((await fetch(address)).status).toBe(200)
  await s3.setAhead(60)
  expect((await fetch(address)).status).toBe(403)
  expect(app.logged()).not.toMatch(/X-Amz|documents\/[0-9a-f-]{36}\./)
})

test('an address is good for what it was made for, and nothing of it can be changed', async () => {
  const { address } = await linked()
  const other = addressOf(await ask(portrait))
  const altered = (change: (url: URL) => void) => {
    const url = new URL(address)
    change(url)
    return url
  }
  const refused = [
    altered((url) => url.searchParams.set('X-Amz-Expires', '3600')),
    altered((url) => url.searchParams.set('X-Amz-Expires', '999999999')),
    altered((url) => url.searchParams.set('X-Amz-Date', '20990101T000000Z')),
    altered((url) => url.searchParams.set('response-content-type', 'text/html')),
    altered((url) => url.searchParams.delete('response-content-disposition')),
    altered((url) => url.searchParams.set('versionId', '1')),
    altered((url) =>
      url.searchParams.set('X-Amz-Signature', other.searchParams.get('X-Amz-Signature') ?? ''),
    ),
    altered((url) => url.searchParams.delete('X-Amz-Signature')),
    altered((url) => {
      url.pathname = other.pathname
    }),
  ]
  for (const url of refused) expect([url.search, (await fetch(url)).ok]).toEqual([url.search, false])
  for (const method of ['HEAD', 'PUT', 'DELETE']) {
    expect([method, (await fetch(address, { method })).status]).toEqual([method, 403])
  }
  expect((await fetch(address)).status).toBe(200)
})

test('callers without access to a document and expired links get no bucket address', async () => {
  const admin = await createAdmin(app)
  for (const token of [undefined, admin.token, (await registerTherapist(app)).token]) {
    const answer = await app.call('POST', `/documents/${documentId}/link`, { token })
    expect([401, 403, 404]).toContain(answer.status)
  }
  const { link } = await linked()
  app.clock.advance(60_000)
  const answer = await ask(link)
  expect([answer.status, answer.headers.get('location')]).toEqual([404, null])
})
