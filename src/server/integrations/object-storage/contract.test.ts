import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { localStorage } from './local.ts'
import type { ObjectStorage } from './port.ts'

type Kept = {
  storage: ObjectStorage
  /** Whatever lies in the storage, finished or not. */
  names: () => string[]
}

function folder(): Kept {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-objects-'))
  return {
    storage: localStorage(directory),
    names: () =>
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name),
  }
}

const text = (words: string) => Readable.from([Buffer.from(words)])

describe.each([{ name: 'a folder', open: folder }])('object storage in $name', ({ open }) => {
  test('gives back what was stored, whole and in part', async () => {
    const { storage } = open()
    await storage.put('documents/one', text('twelve bytes'))
    const whole = await storage.get('documents/one')
    expect(whole?.bytes).toBe(12)
    expect(whole && (await buffer(whole.stream)).toString()).toBe('twelve bytes')
    const part = await storage.get('documents/one', { start: 7, end: 9 })
    expect(part?.bytes).toBe(12)
    expect(part && (await buffer(part.stream)).toString()).toBe('byt')
  })

  test('replaces and removes, and does not mind removing twice', async () => {
    const { storage, names } = open()
    await storage.put('a', text('first'))
    await storage.put('a', text('second'))
    const found = await storage.get('a')
    expect(found && (await buffer(found.stream)).toString()).toBe('second')
    await storage.remove('a')
    await storage.remove('a')
    expect(await storage.get('a')).toBeUndefined()
    expect(names()).toEqual([])
  })

  test('keeps nothing of a stream that breaks off, and the object that was there before', async () => {
    const { storage, names } = open()
    await storage.put('a', text('first'))
    async function* broken() {
      yield Buffer.alloc(100_000)
      throw new Error('gone')
    }
    await expect(storage.put('a', Readable.from(broken()))).rejects.toThrow('gone')
    await expect(storage.put('b', Readable.from(broken()))).rejects.toThrow('gone')
    const found = await storage.get('a')
    expect(found && (await buffer(found.stream)).toString()).toBe('first')
    expect(await storage.get('b')).toBeUndefined()
    expect(names()).toHaveLength(1)
  })

  test('has nothing under a key that was never stored, or that only begins one', async () => {
    const { storage } = open()
    await storage.put('documents/one', text('x'))
    expect(await storage.get('documents/two')).toBeUndefined()
    expect(await storage.get('documents')).toBeUndefined()
  })

  test.each(['../secret', 'documents/../../x', '/etc/passwd', 'a//b', '.unfinished-1', 'A', '', 'a\u0000b'])(
    'refuses the key %j',
    async (key) => {
      const { storage, names } = open()
      await expect(storage.put(key, text('x'))).rejects.toThrow('Not a key')
      await expect(storage.get(key)).rejects.toThrow('Not a key')
      await expect(storage.remove(key)).rejects.toThrow('Not a key')
      expect(names()).toEqual([])
    },
  )
})
