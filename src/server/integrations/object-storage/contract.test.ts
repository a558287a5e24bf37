import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PrivateS3, startS3 } from '#test/private-s3.ts'
import { copyFiles } from '../../commands/file-copying.ts'
import { localStorage } from './local.ts'
import type { ObjectStorage } from './port.ts'
import { s3Storage } from './s3.ts'

type Kept = {
  storage: ObjectStorage
  /** The names of all objects and files in the storage, unfinished ones included. */
  names: () => string[]
}

const folders: string[] = []
function folder(): Kept {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-objects-'))
  folders.push(directory)
  return {
    storage: localStorage(directory),
    names: () =>
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name),
  }
}

let s3: PrivateS3
let buckets = 0
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(async () => {
  for (const each of folders) rmSync(each, { recursive: true, force: true })
  await s3.stop()
})

function bucket(): Kept {
  const name = `files-${++buckets}`
  const directory = join(s3.directory, name)
  return {
    storage: s3Storage({ ...s3.options, bucket: name }),
    names: () =>
      existsSync(directory)
        ? readdirSync(directory, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => entry.name)
        : [],
  }
}

const text = (words: string) => Readable.from([Buffer.from(words)])

describe.each([
  { name: 'a folder', open: folder },
  { name: 'a bucket', open: bucket },
])('object storage in $name', ({ open }) => {
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

describe('a folder', () => {
  // A stream that nothing listens to ends the process by its error.
  test('gives back an object that is removed as soon as it was found, or lets it go', async () => {
    const { storage } = folder()
    for (const isRead of [true, false]) {
      await storage.put('a', text('words'))
      const found = await storage.get('a')
      rmSync(join(folders.at(-1)!, 'a'))
      if (isRead) {
        expect(found && (await buffer(found.stream)).toString()).toBe('words')
      } else {
        found?.stream.destroy()
        await expect.poll(() => found?.stream.closed).toBe(true)
      }
    }
  })
})

describe('a bucket', () => {
  const large = randomBytes(20 * 1024 * 1024)

  test('takes what is large in parts, and gives it back as it was', async () => {
    const { storage } = bucket()
    const pieces = Array.from({ length: 20 }, (_, at) =>
      large.subarray(at * 1024 * 1024, (at + 1) * 1024 * 1024),
    )
    await storage.put('videos/one.mp4', Readable.from(pieces))
    const found = await storage.get('videos/one.mp4')
    expect(found?.bytes).toBe(large.length)
    expect(found && (await buffer(found.stream)).equals(large)).toBe(true)
    const part = await storage.get('videos/one.mp4', { start: 9_000_000, end: 9_000_099 })
    expect(part && (await buffer(part.stream)).equals(large.subarray(9_000_000, 9_000_100))).toBe(true)
  })

  test('keeps nothing of a large stream that breaks off in a later part', async () => {
    const { storage, names } = bucket()
    async function* broken() {
      yield large.subarray(0, 9 * 1024 * 1024)
      throw new Error('gone')
    }
    await expect(storage.put('videos/two.mp4', Readable.from(broken()))).rejects.toThrow('gone')
    expect(names()).toEqual([])
  })

  test('is asked again when it is busy, and says so when it stays so', async () => {
    const { storage, names } = bucket()
    await s3.fail(2)
    await storage.put('a', text('words'))
    expect(names()).toEqual(['a'])
    await s3.fail(50)
    await expect(storage.put('b', text('words'))).rejects.toThrow()
    await s3.fail(0)
    expect(names()).toEqual(['a'])
  })

  test('gives up on a service that takes requests and does not answer', async () => {
    let taken = 0
    const silent = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => (taken += 1))
    })
    await new Promise<void>((listening) => void silent.listen(0, '127.0.0.1', listening))
    const { port } = silent.address() as AddressInfo
    const storage = s3Storage({ ...s3.options, endpoint: `http://127.0.0.1:${port}`, patience: 50 })
    try {
      for (const ask of [
        () => storage.remove('a'),
        () => storage.get('a'),
        () => storage.put('a', text('words')),
      ]) {
        await expect(ask()).rejects.toMatchObject({ name: 'TimeoutError' })
      }
      expect(taken).toBe(12)
    } finally {
      storage.close()
      silent.close()
    }
  })

  test('is not opened by another secret', async () => {
    const { storage, names } = {
      ...bucket(),
      storage: s3Storage({ ...s3.options, secretAccessKey: 'wrong' }),
    }
    await expect(storage.put('a', text('words'))).rejects.toThrow('SignatureDoesNotMatch')
    expect(names()).toEqual([])
  })

  test('receives the files of a folder once, also when an earlier copy was cut off', async () => {
    const from = mkdtempSync(join(tmpdir(), 'hearth-objects-'))
    mkdirSync(join(from, 'portraits', 'one'), { recursive: true })
    writeFileSync(join(from, 'portraits', 'one', '64.webp'), 'a picture')
    writeFileSync(join(from, 'portraits', 'one', '.unfinished-1'), 'half')
    writeFileSync(join(from, 'document'), 'a document')
    const { names } = bucket()
    const target = s3Storage({ ...s3.options, bucket: `files-${buckets}` })
    await target.put('document', text('cut off'))
    expect(await copyFiles(from, target, createReadStream)).toEqual({ copied: 2, there: 0 })
    expect(await copyFiles(from, target, createReadStream)).toEqual({ copied: 0, there: 2 })
    expect(names().toSorted()).toEqual(['64.webp', 'document'])
    const found = await target.get('document')
    expect(found && (await buffer(found.stream)).toString()).toBe('a document')
    rmSync(from, { recursive: true })
  })

  test.each([
    { right: 's3:ListBucket', sentence: /403 .*HeadObject.*s3:ListBucket/ },
    { right: 's3:GetObject', sentence: /403 .*HeadObject.*s3:GetObject/ },
    { right: 's3:PutObject', sentence: /403 .*PutObject.*s3:PutObject/ },
  ])(
    'whose key lacks $right receives no file, and the error names the right',
    async ({ right, sentence }) => {
      const from = mkdtempSync(join(tmpdir(), 'hearth-objects-'))
      folders.push(from)
      writeFileSync(join(from, 'document'), 'a document')
      const { names } = bucket()
      const target = s3Storage({ ...s3.options, bucket: `files-${buckets}` })
      await s3.withhold(right)
      try {
        await expect(copyFiles(from, target, createReadStream)).rejects.toThrow(sentence)
        expect(names()).toEqual([])
      } finally {
        await s3.withhold()
      }
      expect(await copyFiles(from, target, createReadStream)).toEqual({ copied: 1, there: 0 })
    },
  )
})
