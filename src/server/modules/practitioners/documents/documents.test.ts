import { get } from 'node:http'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TherapistProfile } from '#contract/practitioners/onboarding.ts'
import { days, hours, seconds } from '#server/clock.ts'
import { housekeepingJob } from '#server/jobs/housekeeping.ts'
import { createInspector } from '#server/uploads/inspector.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import {
  createAdmin,
  createClient,
  createPractitioner,
  password,
  signInPractitioner,
} from '#test/factories.ts'
import { fingerprint } from '#test/fingerprint.ts'
import { hostilePdfs } from '#test/hostile-files.ts'
import { type NewTherapist, registerTherapist, uploadFile } from '#test/onboarding.ts'
import { mp4, pdf, photoWithPosition, vastPng } from '#test/upload-samples.ts'

let app: TestApp
let therapist: NewTherapist
/** Set to make the storage fail. */
let isStorageDown: boolean
/** Whether an object of this key cannot be removed. */
let isFixed: (key: string) => boolean

beforeEach(async () => {
  isStorageDown = false
  isFixed = () => false
  app = await buildTestApp({
    storage: (folder) => ({
      ...folder,
      async put(key, source) {
        await folder.put(key, source)
        if (isStorageDown) throw new Error('The storage is away.')
      },
      async remove(key) {
        if (isFixed(key)) throw new Error('This object is locked.')
        await folder.remove(key)
      },
    }),
  })
  therapist = await registerTherapist(app)
})
afterEach(async () => app.close())

type Upload = Parameters<typeof uploadFile>[2]
const send = (path: string, upload: Upload) =>
  uploadFile(app, `/therapist/${path}`, { token: therapist.token, ...upload })
const profileOf = (answer: { body: unknown }) => answer.body as TherapistProfile
const link = (documentId: string, token?: string) =>
  app.call('POST', `/documents/${documentId}/link`, { token })

/** Every file below the data folder but for mails and the product's own keys: stored ones and those being looked at. */
function files(): string[] {
  return readdirSync(app.directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(app.directory, 'mail')) && !path.endsWith('.key'))
}

async function expectNothingLeft(work: () => Promise<void>): Promise<void> {
  const before = await fingerprint(app.db)
  await work()
  expect(await fingerprint(app.db)).toEqual(before)
  expect(files()).toEqual([])
}

const documents = [
  ['upload-document-file', 'file', 'identity'],
  ['upload-profile-dbs', 'file', 'dbs'],
  ['upload-insurance-certificate', 'insurance_certificate', 'insurance_certificate'],
] as const
const fields = { expires_on: '2027-05-01' }

describe('a document', () => {
  test.each(documents)(
    'sent to %s waits to be looked at, and its owner sees it',
    async (path, field, kind) => {
      const content = pdf()
      const answer = await send(path, { field, content, fields })
      expect(answer.status).toBe(200)
      const [document] = profileOf(answer).documents
      expect(document).toMatchObject({
        kind,
        status: 'waiting',
        content_type: 'application/pdf',
        size: content.length,
        uploaded_at: app.clock.now().toISOString(),
        expires_on: kind === 'insurance_certificate' ? '2027-05-01' : null,
      })
      const made = await link(document?.document_id ?? '', therapist.token)
      expect(made.status).toBe(200)
      const shown = await fetch(`${app.origin}${String(made.body.url)}`)
      expect(Buffer.from(await shown.arrayBuffer()).equals(content)).toBe(true)
      expect(Object.fromEntries(shown.headers)).toMatchObject({
        'content-type': 'application/pdf',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-disposition': 'attachment; filename="document.pdf"',
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
      })
      expect(files().filter((file) => !file.includes(join('media', 'documents')))).toEqual([])
    },
  )

  test('that is a picture is drawn anew, without the place where it was taken', async () => {
    const photo = await photoWithPosition()
    expect(photo.toString('latin1')).toContain('CanaryCamera')
    const answer = await send('upload-document-file', { content: photo })
    expect(profileOf(answer).documents[0]?.content_type).toBe('image/jpeg')
    const [stored = ''] = files()
    expect(readFileSync(stored, 'latin1')).not.toContain('CanaryCamera')
    const { exif, xmp, iptc, width } = await sharp(stored).metadata()
    expect({ exif, xmp, iptc, width }).toEqual({
      exif: undefined,
      xmp: undefined,
      iptc: undefined,
      width: 1200,
    })
  })

  test('takes the place of one that waits, whose file goes; one that counts stays until then', async () => {
    await send('upload-document-file', { content: pdf(1000) })
    await app.db
      .updateTable('practitioner_documents')
      .set({ state: 'accepted', decided_at: app.clock.now() })
      .execute()
    app.clock.advance(1000)
    await send('upload-document-file', { content: pdf(2000) })
    app.clock.advance(1000)
    const last = await send('upload-document-file', { content: pdf(3000) })
    expect(profileOf(last).documents.map(({ status }) => status)).toEqual(['waiting', 'accepted'])
    expect(files()).toHaveLength(3)
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
    expect(files()).toHaveLength(2)
    for (const { document_id } of profileOf(last).documents) {
      const made = await link(document_id, therapist.token)
      expect((await fetch(`${app.origin}${String(made.body.url)}`)).status).toBe(200)
    }
  })

  test('of an insurance is taken alone, and the day on which it ends may follow', async () => {
    const save = (insurance_expires: string | null) =>
      app.call('PUT', '/therapist/update-profile', { token: therapist.token, body: { insurance_expires } })
    const early = await save('2027-05-01')
    expect([early.status, Object.keys(early.body.errors ?? {})]).toEqual([422, ['insurance_expires']])
    const sent = await send('upload-insurance-certificate', {
      field: 'insurance_certificate',
      content: pdf(),
    })
    expect(sent.status).toBe(200)
    expect(profileOf(sent)).toMatchObject({ has_insurance: true, documents: [{ expires_on: null }] })
    for (const wrong of ['2026-06-01', 'soon']) expect((await save(wrong)).status).toBe(422)
    const dated = await save('2027-05-01')
    expect(profileOf(dated).documents).toMatchObject([{ status: 'waiting', expires_on: '2027-05-01' }])

    await app.db
      .updateTable('practitioner_documents')
      .set({ state: 'accepted', decided_at: app.clock.now() })
      .execute()
    expect((await save('2027-05-01')).status).toBe(200)
    expect((await save('2030-01-01')).status).toBe(422)
    const { expires_on } = await app.db
      .selectFrom('practitioner_documents')
      .select('expires_on')
      .executeTakeFirstOrThrow()
    expect(expires_on).toBe('2027-05-01')
  })

  test('of an insurance refuses a day that is none, or does not lie ahead', async () => {
    for (const wrong of [
      { expires_on: 'soon' },
      { expires_on: '2026-06-01' },
      { expires_on: '2026-13-01' },
    ]) {
      await expectNothingLeft(async () => {
        const answer = await send('upload-insurance-certificate', {
          field: 'insurance_certificate',
          content: pdf(),
          fields: wrong as Record<string, string>,
        })
        expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['expires_on']])
      })
    }
  })

  test('of an insurance refuses the present day in London, also before midnight in UTC', async () => {
    app.clock.set('2026-06-30T23:30:00Z')
    therapist = await registerTherapist(app)
    const upload = (expires_on: string) =>
      send('upload-insurance-certificate', {
        field: 'insurance_certificate',
        content: pdf(),
        fields: { expires_on },
      })
    expect((await upload('2026-07-01')).status).toBe(422)
    expect((await upload('2026-07-02')).status).toBe(200)
    const save = (insurance_expires: string) =>
      app.call('PUT', '/therapist/update-profile', { token: therapist.token, body: { insurance_expires } })
    expect((await save('2026-07-01')).status).toBe(422)
    expect((await save('2026-07-03')).status).toBe(200)
  })

  test('a document gets a 404 for callers other than its owner, as does a file by a guessed link', async () => {
    const answer = await send('upload-document-file', { content: pdf() })
    const id = profileOf(answer).documents[0]?.document_id ?? ''
    const other = await createPractitioner(app, { password })
    const strangers = [
      undefined,
      (await createClient(app)).token,
      await signInPractitioner(app, other),
      (await createAdmin(app)).token,
    ]
    const before = await fingerprint(app.db)
    for (const token of strangers) {
      expect((await link(id, token)).status).toBe(404)
      expect((await link('00000000-0000-4000-8000-000000000000', token)).status).toBe(404)
    }
    expect(await fingerprint(app.db)).toEqual(before)
    expect((await fetch(`${app.origin}/api/v7/files/guessed`)).status).toBe(404)
    const [stored = ''] = files()
    const path = stored.slice(stored.indexOf('documents')).replaceAll('\\', '/')
    for (const url of [`/media/${path}`, `/${path}`, `/media/portraits/../${path}`]) {
      expect((await app.app.inject({ url })).statusCode).toBe(404)
    }
  })

  test('is shown by a link for a minute and not a moment longer', async () => {
    const answer = await send('upload-document-file', { content: pdf() })
    const made = await link(profileOf(answer).documents[0]?.document_id ?? '', therapist.token)
    const show = async () => (await fetch(`${app.origin}${String(made.body.url)}`)).status
    expect(Date.parse(String(made.body.expires_at)) - app.clock.now().getTime()).toBe(seconds(60))
    app.clock.advance(seconds(60) - 1)
    expect(await show()).toBe(200)
    app.clock.advance(1)
    expect(await show()).toBe(404)
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
    expect(await app.db.selectFrom('file_links').selectAll().execute()).toEqual([])
  })

  test('is not sent over one that was sent from another window', async () => {
    await send('upload-profile-dbs', { content: pdf(), headers: { 'if-match': '"dbs-0"' } })
    const kept = files()
    const before = await fingerprint(app.db)
    const late = await send('upload-profile-dbs', { content: pdf(), headers: { 'if-match': '"dbs-0"' } })
    expect([late.status, late.body.code]).toEqual([409, 'changed_elsewhere'])
    expect(await fingerprint(app.db)).toEqual(before)
    expect(files()).toEqual(kept)
  })
})

describe('a portrait', () => {
  test('is drawn in its sizes without anything else that the file held, and served', async () => {
    const answer = await send('upload-profile-image', { field: 'image', content: await photoWithPosition() })
    expect(answer.status).toBe(200)
    const path = profileOf(answer).main_image ?? ''
    expect(path).toMatch(/^\/media\/portraits\/[0-9a-f-]{36}\/256\.webp$/)
    expect(files()).toHaveLength(3)
    for (const size of [64, 256, 1024]) {
      const shown = await fetch(`${app.origin}${path.replace('256', String(size))}`)
      const bytes = Buffer.from(await shown.arrayBuffer())
      const { width, height, format, exif } = await sharp(bytes).metadata()
      expect({ width, height, format, exif }).toEqual({
        width: size,
        height: size,
        format: 'webp',
        exif: undefined,
      })
      expect(bytes.toString('latin1')).not.toContain('Canary')
    }
  })
})

async function housekeep(): Promise<void> {
  await app.queue.enqueue(app.db, housekeepingJob, {})
  await app.queue.drain()
}

describe('a replaced portrait', () => {
  const portrait = async () =>
    profileOf(
      await send('upload-profile-image', { field: 'image', content: await photoWithPosition(300, 300) }),
    ).main_image ?? ''
  const status = async (path: string) => (await fetch(`${app.origin}${path}`)).status

  test('is shown for 30 days, and is then deleted with its file', async () => {
    const first = await portrait()
    app.clock.advance(1000)
    const second = await portrait()
    app.clock.advance(days(30) - 1000)
    await housekeep()
    expect([await status(first), await status(second), files().length]).toEqual([200, 200, 6])
    app.clock.advance(1000)
    await housekeep()
    expect([await status(first), await status(second), files().length]).toEqual([404, 200, 3])
    expect(await app.db.selectFrom('practitioner_replaced_portraits').selectAll().execute()).toEqual([])
    app.clock.advance(days(400))
    await housekeep()
    expect([await status(second), files().length]).toEqual([200, 3])
  })
})

describe('a video', () => {
  test('is served whole and in parts, and given up for another choice', async () => {
    const content = mp4(5000)
    const answer = await send('upload-profile-video', { field: 'video', content, name: '../../video.mp4' })
    expect(answer.status).toBe(200)
    const path = profileOf(answer).profile_video ?? ''
    expect(profileOf(answer)).toMatchObject({ video_choice: 0 })
    const whole = await fetch(`${app.origin}${path}`)
    expect(whole.headers.get('content-type')).toBe('video/mp4')
    expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true)
    const part = await fetch(`${app.origin}${path}`, { headers: { range: 'bytes=4-11' } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      'bytes 4-11/5000',
      'ftypmp42',
    ])
    const beyond = await fetch(`${app.origin}${path}`, { headers: { range: 'bytes=5000-' } })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */5000'])
    await app.call('PUT', '/therapist/update-profile', { token: therapist.token, body: { video_choice: 3 } })
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
    expect(files()).toEqual([])
    expect((await fetch(`${app.origin}${path}`)).status).toBe(404)
  })

  test('is shown on the public profile', async () => {
    const practitioner = await createPractitioner(app, { password })
    const token = await signInPractitioner(app, practitioner)
    const answer = await send('upload-profile-video', { token, field: 'video', content: mp4() })
    const profile = await app.call('GET', `/practitioner/${practitioner.id}/profile`)
    expect(profile.body).toMatchObject({
      profile_video: profileOf(answer).profile_video,
      profile_video_link: null,
    })
  })
})

describe('what is said in a video', () => {
  const captions = (text: string) =>
    send('upload-video-captions', { field: 'captions', content: Buffer.from(text) })
  const vtt = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello, I am <b>Mary</b>.\n'
  const put = (body: object) => app.call('PUT', '/therapist/update-profile', { token: therapist.token, body })
  const cleanUp = async () => {
    await app.queue.enqueue(app.db, housekeepingJob, {})
    await app.queue.drain()
  }

  test('is shown by captions that are served cleaned, and go with the video', async () => {
    await send('upload-profile-video', { field: 'video', content: mp4() })
    const answer = await captions(vtt)
    expect(answer.status).toBe(200)
    const path = profileOf(answer).profile_video_captions ?? ''
    const served = await fetch(`${app.origin}${path}`)
    expect(served.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
    expect(await served.text()).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello, I am Mary.\n')

    const replaced = profileOf(await captions(vtt.replace('Mary', 'M'))).profile_video_captions
    expect(replaced).not.toBe(path)
    const video = await send('upload-profile-video', { field: 'video', content: mp4() })
    expect(profileOf(video)).toMatchObject({ profile_video_captions: null, profile_video_transcript: null })
    await cleanUp()
    expect(files()).toHaveLength(1)
    expect((await fetch(`${app.origin}${path}`)).status).toBe(404)
  })

  test('is shown by captions that their owner can remove, and another cannot', async () => {
    await send('upload-profile-video', { field: 'video', content: mp4() })
    await captions(vtt)
    const other = await registerTherapist(app)
    await app.call('DELETE', '/therapist/video-captions', { token: other.token })
    const profile = () => app.call('GET', '/therapist/profile', { token: therapist.token })
    expect(profileOf(await profile()).profile_video_captions).not.toBeNull()
    for (let turn = 0; turn < 2; turn++) {
      const removed = await app.call('DELETE', '/therapist/video-captions', { token: therapist.token })
      expect([removed.status, profileOf(removed).profile_video_captions]).toEqual([200, null])
    }
    await cleanUp()
    expect(files()).toHaveLength(1)
  })

  test('is shown by captions whose removal can be repeated with its version when the answer was lost', async () => {
    await send('upload-profile-video', { field: 'video', content: mp4() })
    const { version } = profileOf(await captions(vtt)).steps.find(({ step }) => step === 'video') ?? {}
    const headers = { 'if-match': `"video-${version}"`, 'idempotency-key': crypto.randomUUID() }
    for (let turn = 0; turn < 2; turn++) {
      const removed = await app.call('DELETE', '/therapist/video-captions', {
        token: therapist.token,
        headers,
      })
      expect([removed.status, profileOf(removed).profile_video_captions]).toEqual([200, null])
    }
  })

  test.each([
    ['without a video', vtt, 'Upload your video first'],
    ['that are a page', '<script>alert(1)</script>', 'starts with the line WEBVTT'],
    ['without times', 'WEBVTT\n\nHello', 'Line 3: the times of a caption'],
    ['that are not text', 'WEBVTT\n\n00:01.000 --> 00:02.000\n\u0000', 'not plain text'],
  ])('takes no captions %s', async (_, text, sentence) => {
    await expectNothingLeft(async () => {
      const answer = await captions(text)
      expect(answer.status).toBe(422)
      expect(JSON.stringify(answer.body.errors)).toContain(sentence)
    })
  })

  test('takes no captions of more than a megabyte', async () => {
    await expectNothingLeft(async () => {
      expect((await captions(vtt + 'a'.repeat(1024 * 1024))).status).toBe(413)
    })
  })

  test('is shown as a text, kept with the video alone', async () => {
    const link = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
    const text = async (body: object) => profileOf(await put(body)).profile_video_transcript
    expect(await text({ video_choice: 2, video_url_link: link, video_transcript: ' Hello. ' })).toBe('Hello.')
    expect(await text({ video_choice: 2, video_url_link: link })).toBe('Hello.')
    expect(await text({ video_url_link: `${link}2` })).toBeNull()
    expect(await text({ video_transcript: 'Again.' })).toBe('Again.')
    expect(await text({ video_choice: 3 })).toBeNull()
    expect((await put({ video_transcript: 'x'.repeat(20_001) })).status).toBe(422)
  })
})

const executable = Buffer.from(`MZ${'\u0000'.repeat(200)}This program cannot be run in DOS mode.`)
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
const html = Buffer.from('<!doctype html><script>alert(1)</script>')

describe('what is refused, with nothing left behind', () => {
  test.each<[string, string, Upload, number]>([
    [
      'a renamed executable',
      'upload-document-file',
      { content: executable, name: 'passport.pdf', type: 'application/pdf' },
      415,
    ],
    [
      'a picture that can run script',
      'upload-profile-image',
      { field: 'image', content: svg, name: 'me.png', type: 'image/png' },
      415,
    ],
    ['a page', 'upload-document-file', { content: html, name: 'dbs.jpg', type: 'image/jpeg' }, 415],
    ['a PDF as a portrait', 'upload-profile-image', { field: 'image', content: pdf() }, 415],
    ['a video as a document', 'upload-profile-dbs', { content: mp4() }, 415],
    ['an empty file', 'upload-profile-dbs', { content: Buffer.alloc(0) }, 422],
    ['a file in another field', 'upload-profile-dbs', { field: 'image', content: pdf() }, 422],
    ['a PDF that is cut off', 'upload-profile-dbs', { content: pdf(100_000).subarray(0, 200) }, 422],
    ['a PDF that unpacks beyond measure', 'upload-profile-dbs', { content: pdf(200_000_000) }, 422],
    [
      'a document of more than 20 MB',
      'upload-profile-dbs',
      { content: Buffer.concat([pdf(), Buffer.alloc(20 * 1024 * 1024)]) },
      413,
    ],
  ])('%s', async (_name, path, upload, status) => {
    await expectNothingLeft(async () => {
      const answer = await send(path, upload)
      expect([answer.status, answer.body.code !== 'internal_error']).toEqual([status, true])
      expect(answer.body.message.length).toBeGreaterThan(20)
    })
  })

  test('a picture of 30,000 by 30,000 pixels', async () => {
    const content = vastPng(30_000)
    expect(content.length).toBeLessThan(1_000_000)
    for (const [path, field] of [
      ['upload-profile-image', 'image'],
      ['upload-document-file', 'file'],
    ] as const) {
      await expectNothingLeft(async () => {
        const answer = await send(path, { field, content })
        expect([answer.status, answer.body.code]).toEqual([422, 'unreadable_file'])
        expect(answer.body.message).toContain('too large')
      })
    }
  })

  test('a picture that is broken in the middle', async () => {
    const photo = await photoWithPosition()
    await expectNothingLeft(async () => {
      const answer = await send('upload-profile-image', {
        field: 'image',
        content: photo.subarray(0, photo.length / 2),
      })
      expect([answer.status, answer.body.code]).toEqual([422, 'unreadable_file'])
    })
  })

  test('what is not a form, and a form where JSON is wanted', async () => {
    await expectNothingLeft(async () => {
      const json = await app.call('POST', '/therapist/upload-profile-dbs', {
        token: therapist.token,
        body: {},
      })
      expect([json.status, json.body.code]).toEqual([415, 'unsupported_media_type'])
      const form = await uploadFile(app, '/therapist/add-language-list', {
        token: therapist.token,
        content: pdf(),
      })
      expect([form.status, form.body.code]).toEqual([415, 'unsupported_media_type'])
      expect((await uploadFile(app, '/therapist/upload-profile-dbs', { content: pdf() })).status).toBe(401)
    })
  })

  test('a form that ends too soon', async () => {
    await expectNothingLeft(async () => {
      const answer = await fetch(`${app.origin}/api/v7/therapist/upload-profile-dbs`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${therapist.token}`,
          'content-type': 'multipart/form-data; boundary=cut',
        },
        body: '--cut\r\ncontent-disposition: form-data; name="file"; filename="d.pdf"\r\n\r\n%PDF-1.4',
      })
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        400,
        'malformed_request',
      ])
    })
  })

  test('an upload that breaks off', async () => {
    await expectNothingLeft(async () => {
      const { port } = new URL(app.origin)
      await new Promise<void>((done) => {
        const broken = httpRequest({
          port,
          host: '127.0.0.1',
          method: 'POST',
          path: '/api/v7/therapist/upload-profile-video',
          headers: {
            authorization: `Bearer ${therapist.token}`,
            'content-type': 'multipart/form-data; boundary=cut',
            'content-length': 10_000_000,
          },
        })
        broken.on('error', () => done())
        broken.on('close', () => done())
        broken.write('--cut\r\ncontent-disposition: form-data; name="video"; filename="v.mp4"\r\n\r\n')
        broken.write(mp4(500_000))
        setTimeout(() => broken.destroy(), 100)
      })
      for (let tries = 0; files().length > 0 && tries < 50; tries++) await sleep(50)
    })
  })

  test('a video of 201 MB, said so or not, while little of it is ever in memory', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 7)
    const head = '--flat\r\ncontent-disposition: form-data; name="video"; filename="v.mp4"\r\n\r\n'
    const said = await fetch(`${app.origin}/api/v7/therapist/upload-profile-video`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${therapist.token}`,
        'content-type': 'multipart/form-data; boundary=flat',
      },
      body: new Blob([head, mp4(), ...Array.from({ length: 201 }, () => megabyte), '\r\n--flat--\r\n']),
    }).catch((error: unknown) => error)
    // Told by the answer, or hung up on before everything was sent.
    expect(said instanceof Response ? said.status : 413).toBe(413)

    const before = await fingerprint(app.db)
    const start = process.memoryUsage.rss()
    let peak = start
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        peak = Math.max(peak, process.memoryUsage.rss())
        if (sent === 0) controller.enqueue(Buffer.concat([Buffer.from(head), mp4()]))
        if (sent++ < 201) controller.enqueue(megabyte)
        else {
          controller.enqueue(Buffer.from('\r\n--flat--\r\n'))
          controller.close()
        }
      },
    })
    const answer = await fetch(`${app.origin}/api/v7/therapist/upload-profile-video`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${therapist.token}`,
        'content-type': 'multipart/form-data; boundary=flat',
      },
      body,
      duplex: 'half',
    } as RequestInit)
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      413,
      'payload_too_large',
    ])
    expect((peak - start) / 1024 / 1024).toBeLessThan(100)
    expect(await fingerprint(app.db)).toEqual(before)
    expect(files()).toEqual([])
  })

  test('everything, while the storage is away; the next try works', async () => {
    isStorageDown = true
    await expectNothingLeft(async () => {
      for (const [path, field, content] of [
        ['upload-profile-dbs', 'file', pdf()],
        ['upload-profile-image', 'image', await photoWithPosition()],
        ['upload-profile-video', 'video', mp4()],
      ] as const) {
        expect((await send(path, { field, content })).status).toBe(500)
      }
    })
    isStorageDown = false
    expect((await send('upload-profile-dbs', { content: pdf() })).status).toBe(200)
  })
})

/** Asks on a connection of its own: one that an upload was refused on is closed by the server. */
function statusOf(address: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(address, { agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
}

describe('a file that is hard to look through', () => {
  test('of 800 kB is refused soon, while other requests are answered', async () => {
    const content = hostilePdfs['the word stream']?.(800_000) ?? Buffer.alloc(0)
    await expectNothingLeft(async () => {
      let slowest = 0
      let timer: NodeJS.Timeout | undefined
      let asked: Promise<void> | undefined
      const ask = async () => {
        const start = performance.now()
        expect(await statusOf(`${app.origin}/healthz`)).toBe(200)
        slowest = Math.max(slowest, performance.now() - start)
        timer = setTimeout(() => {
          asked = ask()
        }, 10)
      }
      await ask()
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => send('upload-profile-dbs', { content })),
      )
      await asked
      clearTimeout(timer)
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
        answers.map(() => [422, 'unreadable_file']),
      )
      expect(slowest).toBeLessThan(5000)
    })
  })

  test('beyond the time limit is refused in words, while other requests are answered and the app can stop', async () => {
    await app.close()
    const script = new URL(
      `data:text/javascript,${encodeURIComponent(
        "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { for (;;); })",
      )}`,
    )
    app = await buildTestApp({ inspector: createInspector({ script, timeLimit: 1500 }) })
    therapist = await registerTherapist(app)
    await expectNothingLeft(async () => {
      let answered = 0
      const asking = setInterval(() => {
        void fetch(`${app.origin}/healthz`).then(({ ok }) => (answered += ok ? 1 : 0))
      }, 50)
      const answer = await send('upload-profile-dbs', { content: pdf() })
      clearInterval(asking)
      expect([answer.status, answer.body.code]).toEqual([422, 'unreadable_file'])
      expect(answer.body.message).toContain('print it to a new PDF')
      expect(answered).toBeGreaterThan(5)
    })
    const last = send('upload-profile-dbs', { content: pdf() })
    while (files().length === 0) await sleep(10)
    const start = performance.now()
    await Promise.all([app.app.close(), last])
    expect(performance.now() - start).toBeLessThan(10_000)
    expect(files()).toEqual([])
  })
})

const insertFile = (id: string, age: number) =>
  app.db
    .insertInto('stored_files')
    .values({
      id,
      account_id: therapist.accountId,
      storage_key: `documents/${id}.pdf`,
      content_type: 'application/pdf',
      bytes: 3,
      created_at: new Date(app.clock.now().getTime() - age),
    })
    .execute()
const fileId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const leftFiles = async () =>
  (await app.db.selectFrom('stored_files').select('id').orderBy('id').execute()).map(({ id }) => id)

test('a file that a crash left behind is removed, and one that is being sent is not', async () => {
  await insertFile(fileId(1), hours(3))
  await insertFile(fileId(2), hours(1))
  await housekeep()
  expect(await leftFiles()).toEqual([fileId(2)])
})

test('what a crash left of files that were received or stored is removed, and what is being written is not', async () => {
  const at = (name: string) => join(app.directory, name)
  const leave = (name: string, age: number) => {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), 'a passport')
    const then = new Date(app.clock.now().getTime() - age)
    utimesSync(at(name), then, then)
  }
  const names = (place: string) => [`uploads/${place}`, `media/documents/.unfinished-${place}`]
  for (const name of [...names('old'), 'media/documents/kept.pdf']) leave(name, hours(3))
  for (const name of names('young')) leave(name, hours(1))
  await housekeep()
  expect(names('old').filter((name) => existsSync(at(name)))).toEqual([])
  expect([...names('young'), 'media/documents/kept.pdf'].filter((name) => !existsSync(at(name)))).toEqual([])
})

test('a portrait that a crash left behind is removed', async () => {
  isStorageDown = true
  isFixed = (key) => key.startsWith('portraits/')
  const photo = { field: 'image', content: await photoWithPosition() }
  expect((await send('upload-profile-image', photo)).status).toBe(500)
  isStorageDown = false
  isFixed = () => false
  expect(files()).toHaveLength(1)
  app.clock.advance(hours(2) - 1)
  await housekeep()
  expect(files()).toHaveLength(1)
  app.clock.advance(1)
  await housekeep()
  expect(files()).toEqual([])
})

test('files that cannot be removed keep no other from going, and the job that deletes them fails', async () => {
  for (let number = 1; number <= 30; number++) await insertFile(fileId(number), hours(3 + 1 / number))
  const portrait = (number: number) => `${number}`.padStart(32, '0')
  for (let number = 1; number <= 12; number++) {
    await app.db
      .insertInto('practitioner_replaced_portraits')
      .values({
        image_key: portrait(number),
        practitioner_id: therapist.id,
        replaced_at: new Date(app.clock.now().getTime() - days(50 - number)),
      })
      .execute()
  }
  const stuck = Array.from({ length: 12 }, (_, n) => fileId(n + 1))
  isFixed = (key) =>
    stuck.some((id) => key.includes(id)) ||
    (key.startsWith('portraits/') && !key.includes(portrait(12)) && !key.includes(portrait(11)))
  const portraits = async () =>
    (await app.db.selectFrom('practitioner_replaced_portraits').select('image_key').execute()).length
  await housekeep()
  expect(app.queue.failures().get('housekeeping')).toBe(1)
  app.clock.advance(hours(1))
  await housekeep()
  expect(await leftFiles()).toEqual(stuck)
  expect(await portraits()).toBe(10)
  expect(app.queue.failures().get('housekeeping')).toBe(2)

  isFixed = () => false
  app.clock.advance(hours(1))
  await housekeep()
  expect(await leftFiles()).toEqual([])
  expect(await portraits()).toBe(0)
  expect(app.queue.failures().get('housekeeping')).toBe(2)
})

test('a storage that is away is asked for ten files in a run', async () => {
  for (let number = 1; number <= 40; number++) await insertFile(fileId(number), hours(2 + 1 / number))
  let asked = 0
  isFixed = () => (asked += 1) > 0
  await housekeep()
  expect(asked).toBe(10)
  isFixed = () => false
  await housekeep()
  expect(await leftFiles()).toEqual([])
})
