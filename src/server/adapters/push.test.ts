import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Db } from '#server/db/connection.ts'
import { emptyDatabase } from '#test/test-database.ts'
import { pushOf } from './push.ts'

let db: Db
beforeAll(async () => {
  ;({ db } = await emptyDatabase())
})

test('a start with another push key than the one before logs an error, and goes on', async () => {
  const directories = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'hearth-push-')))
  const logged: string[] = []
  const start = (DATA_DIR = '') =>
    pushOf({ DATA_DIR, PUBLIC_URL: 'https://hearth.test' }, db, {
      error: (...words: unknown[]) => void logged.push(String(words[0])),
    })
  try {
    const first = await start(directories[0])
    expect((await start(directories[0])).publicKey).toBe(first.publicKey)
    expect(logged).toEqual([])
    const other = await start(directories[1])
    expect(other.publicKey).not.toBe(first.publicKey)
    expect(logged).toEqual([expect.stringContaining('PUSH_KEY is not the key')])
    // The first key stays the one that is right.
    await start(directories[0])
    expect(logged).toHaveLength(1)
  } finally {
    for (const directory of directories) rmSync(directory, { recursive: true })
  }
})
