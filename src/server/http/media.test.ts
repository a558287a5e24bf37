import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { localDirectory } from '#server/integrations/object-storage/local.ts'
import type { StoredObject } from '#server/integrations/object-storage/port.ts'

describe('portraits', () => {
  let test: TestApp
  beforeEach(async () => {
    test = await buildTestApp()
    const folder = join(localDirectory(test.directory), 'portraits', 'abc123')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, '256.webp'), 'a picture')
    await writeFile(join(folder, 'secret.txt'), 'not a picture')
    await writeFile(join(test.directory, 'private.webp'), 'not for anybody')
  })
  afterEach(() => test.close())

  it('are served for good', async () => {
    const answer = await fetch(`${test.origin}/media/portraits/abc123/256.webp`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await answer.text()).toBe('a picture')
  })

  it('are all that is served', async () => {
    for (const path of [
      'abc123/64.webp',
      'abc123/secret.txt',
      'abc123/',
      'abc123',
      '',
      '../../private.webp',
      '%2e%2e%2f%2e%2e%2fprivate.webp',
      'abc123/..%2f..%2f..%2fprivate.webp',
      'abc123/256.webp%00.txt',
      'abc123%5c256.webp',
    ]) {
      // The path goes out as it is; `fetch` would tidy it up.
      const answer = await test.app.inject({ url: `/media/portraits/${path}` })
      expect({ path, refused: [400, 403, 404].includes(answer.statusCode) }).toEqual({ path, refused: true })
      expect(answer.body).not.toMatch(/not a picture|not for anybody/)
    }
  })
})

describe('parts of a picture', () => {
  let test: TestApp
  let read: StoredObject[]
  let failure: Error | undefined
  beforeEach(async () => {
    read = []
    failure = undefined
    test = await buildTestApp({
      storage: (folder) => ({
        ...folder,
        async get(key, range) {
          if (range && failure) throw failure
          const object = await folder.get(key, range)
          if (object) read.push(object)
          return object
        },
      }),
    })
    const folder = join(localDirectory(test.directory), 'portraits', 'abc123')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, '256.webp'), 'a picture')
  })
  afterEach(() => test.close())

  const ask = (range: string, method = 'GET') =>
    fetch(`${test.origin}/media/portraits/abc123/256.webp`, { method, headers: { range } })
  const cachedFor = (answer: Response) => answer.headers.get('cache-control')

  it('are served for good, and no error in their place is', async () => {
    const part = await ask('bytes=2-4')
    expect([part.status, await part.text()]).toEqual([206, 'pic'])
    expect(cachedFor(part)).toBe('public, max-age=31536000, immutable')
    const beyond = await ask('bytes=9-')
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */9'])
    expect(cachedFor(beyond)).toBe('no-store')
    failure = new Error('the storage is away')
    const failed = await ask('bytes=2-4')
    expect([failed.status, cachedFor(failed)]).toEqual([500, 'no-store'])
  })

  it('are of a GET alone: a HEAD is about the whole picture and reads none of it', async () => {
    const answer = await ask('bytes=2-4', 'HEAD')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe('9')
    expect(answer.headers.get('content-range')).toBeNull()
    expect(answer.headers.get('accept-ranges')).toBe('bytes')
    await expect.poll(() => read.map(({ stream }) => stream.closed)).toEqual([true])
    expect(read.map(({ stream }) => stream.readableDidRead)).toEqual([false])
  })
})
