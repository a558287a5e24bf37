import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { clamdScanner } from '#server/integrations/virus-scanner/clamd.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { startClamd } from '#test/clamd.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { registerTherapist, uploadFile } from '#test/onboarding.ts'
import { mp4, pdf } from '#test/upload-samples.ts'

let clamd: Awaited<ReturnType<typeof startClamd>>
let app: TestApp
beforeAll(async () => {
  clamd = await startClamd()
})
afterAll(() => clamd.stop())
afterEach(() => app.close())

const eicar = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'
const pdfWith = (text: string) => Buffer.concat([Buffer.from('%PDF-1.4\n%'), Buffer.from(`${text}\n`), pdf()])

async function send(content: Buffer, url = clamd.url, path = 'upload-profile-dbs', field = 'file') {
  app = await buildTestApp({ virusScanner: clamdScanner({ url, timeLimit: 1500 }) })
  const { token } = await registerTherapist(app)
  const before = await fingerprint(app.db)
  const answer = await uploadFile(app, `/therapist/${path}`, { token, field, content })
  const isUnchanged = JSON.stringify(await fingerprint(app.db)) === JSON.stringify(before)
  const files = readdirSync(app.directory, { recursive: true, withFileTypes: true }).filter(
    (entry) =>
      entry.isFile() &&
      !entry.parentPath.startsWith(join(app.directory, 'mail')) &&
      !entry.name.endsWith('.key'),
  )
  return { answer, isUnchanged, files: files.length }
}

test('an upload in which the scanner finds nothing is kept', async () => {
  const { answer, files } = await send(pdfWith('nothing'))
  expect([answer.status, files]).toEqual([200, 1])
})

test('the scanner is asked at a socket of this machine as well', async () => {
  const path = join(tmpdir(), `hearth-clamd-${process.pid}.sock`)
  const local = await startClamd(path)
  const { answer } = await send(pdfWith(eicar), local.url)
  expect(answer.status).toBe(422)
  await local.stop()
})

test.each([
  ['document', 'upload-profile-dbs', 'file', pdfWith(eicar)],
  ['video', 'upload-profile-video', 'video', Buffer.concat([mp4(), Buffer.from(eicar)])],
])('an infected %s is refused in words, and nothing of it is kept', async (_kind, path, field, content) => {
  const { answer, isUnchanged, files } = await send(content, clamd.url, path, field)
  expect([answer.status, answer.body.code, isUnchanged, files]).toEqual([422, 'harmful_file', true, 0])
  expect(answer.body.message).toContain('virus')
  expect(app.logged()).not.toContain('Eicar')
})

test.each([
  ['takes too long', pdfWith('stall'), undefined],
  ['hangs up', pdfWith('break'), undefined],
  ['is sent more than it takes', pdfWith('limit'), undefined],
  ['is away', pdfWith('nothing'), 'tcp://127.0.0.1:9'],
])('an upload is put off and nothing of it is kept when the scanner %s', async (_name, content, url) => {
  const { answer, isUnchanged, files } = await send(content, url)
  expect([answer.status, answer.body.code, isUnchanged, files]).toEqual([503, 'unavailable', true, 0])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
})
