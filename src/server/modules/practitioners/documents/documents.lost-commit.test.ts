import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { openServer } from '#server/db/connection.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { type CuttingProxy, startCuttingProxy } from '#test/cutting-proxy.ts'
import { type NewTherapist, registerTherapist, uploadFile } from '#test/onboarding.ts'
import { mp4, pdf, photoWithPosition } from '#test/upload-samples.ts'

let app: TestApp
let proxy: CuttingProxy
let therapist: NewTherapist

beforeEach(async () => {
  const { url, database } = await clusterDatabase(1)
  await database.close()
  proxy = await startCuttingProxy()
  proxy.leadTo(url)
  const through = new URL(url)
  through.port = new URL(proxy.origin).port
  app = await buildTestApp({ database: openServer(through.href, 10, () => undefined) })
  therapist = await registerTherapist(app)
})
afterEach(async () => {
  await app.close()
  await proxy.close()
})

/** The profile after an upload whose commit was carried out and never answered. */
async function profileAfter(
  path: string,
  upload: Parameters<typeof uploadFile>[2],
): Promise<TherapistProfile> {
  proxy.loseCommit()
  const answer = await uploadFile(app, `/therapist/${path}`, { token: therapist.token, ...upload })
  expect([answer.status >= 500, proxy.losesCommit()]).toEqual([true, false])
  const { body } = await app.call('GET', '/therapist/profile', { token: therapist.token })
  return body as unknown as TherapistProfile
}

const statusOf = async (path: unknown) => (await fetch(`${app.origin}${String(path)}`)).status

test('a document whose commit was not answered keeps its file', async () => {
  const { documents } = await profileAfter('upload-document-file', { content: pdf() })
  expect(documents).toMatchObject([{ kind: 'identity', status: 'waiting' }])
  const made = await app.call('POST', `/documents/${documents[0]?.document_id}/link`, {
    token: therapist.token,
  })
  expect(await statusOf(made.body.url)).toBe(200)
})

test('a video whose commit was not answered keeps its file', async () => {
  const { profile_video } = await profileAfter('upload-profile-video', { field: 'video', content: mp4() })
  expect(await statusOf(profile_video)).toBe(200)
})

test('a portrait whose commit was not answered keeps its files', async () => {
  const upload = { field: 'image', content: await photoWithPosition() }
  const { main_image } = await profileAfter('upload-profile-image', upload)
  expect(await statusOf(main_image)).toBe(200)
})
