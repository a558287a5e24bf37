import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { localDirectory } from '#server/integrations/object-storage/local.ts'

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
