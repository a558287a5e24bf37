import { mkdirSync, readdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '#server/db/connection.ts'
import { type Answer, buildTestApp, type TestApp } from './build-test-app.ts'
import { clusterDatabase, clusterDatabaseIn } from './cluster-database.ts'
import { openChat } from './factories.ts'
import { fingerprint } from './fingerprint.ts'
import { registerTherapist, uploadFile } from './onboarding.ts'
import { mountSmallDisk } from './small-disk.ts'
import { pdf } from './upload-samples.ts'

type Disk = { database: Database; fill(): Promise<void>; free(): Promise<void>; remove(): Promise<void> }

/** A database on a small disk of its own; where none can be mounted, one that says that its disk is full. */
async function onSmallDisk(): Promise<Disk> {
  const disk = mountSmallDisk(96, userInfo().uid === 0 ? 'postgres' : undefined)
  if (!disk) return sayingSo()
  const { database, drop } = await clusterDatabaseIn(disk.directory)
  return {
    database,
    fill: async () => disk.fill(),
    free: async () => disk.free(),
    async remove() {
      disk.free()
      await drop()
      disk.remove()
    },
  }
}

/** A database that rejects inserts, updates and DDL with PostgreSQL's error for a full disk, between `fill` and `free`. */
async function sayingSo(): Promise<Disk> {
  const { database } = await clusterDatabase()
  const { db } = database
  const refuse = `raise exception 'could not extend file: No space left on device' using errcode = '53100'`
  const { rows } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`.execute(db)
  const onEach = (write: (name: string) => string) =>
    sql.raw(rows.map(({ name }) => write(name)).join(';')).execute(db)
  await sql
    .raw(`create function no_room() returns trigger language plpgsql as $$ begin ${refuse}; end $$;
      create function no_room_for_tables() returns event_trigger language plpgsql as $$ begin ${refuse}; end $$`)
    .execute(db)
  return {
    database,
    async fill() {
      await onEach(
        (name) =>
          `create trigger no_room before insert or update on ${name} for each statement execute function no_room()`,
      )
      await sql`create event trigger no_room on ddl_command_start execute function no_room_for_tables()`.execute(
        db,
      )
    },
    async free() {
      await sql`drop event trigger no_room`.execute(db)
      await onEach((name) => `drop trigger no_room on ${name}`)
    },
    remove: async () => undefined,
  }
}

describe.each([
  ['has a full disk', onSmallDisk],
  ['says that its disk is full', sayingSo],
] as const)('while the database %s', (_which, make) => {
  let disk: Disk
  let app: TestApp
  beforeEach(async () => {
    disk = await make()
    app = await buildTestApp({ database: disk.database, rateLimitScale: 1_000_000 })
  })
  afterEach(async () => {
    await app.close()
    await disk.remove()
  })

  test('what is to be stored is answered 503, the rest goes on, and all does again once there is room', async () => {
    const { client, dialog } = await openChat(app)
    const write = () =>
      app.call('POST', '/chat/messages', {
        token: client.token,
        body: { chat_dialog_id: dialog, message: 'x'.repeat(4000) },
      })
    const readiness = async () => {
      const answer = await fetch(`${app.origin}/readyz`)
      return [answer.status, ((await answer.json()) as { status: string }).status]
    }
    const stored = async () =>
      Number(
        (await sql<{ count: string }>`select count(*) from chat_messages`.execute(app.db)).rows[0]?.count,
      )
    expect((await write()).status).toBe(201)
    expect(await readiness()).toEqual([200, 'ready'])

    await disk.fill()
    // There may be room in pages that are there already.
    const answers: Answer[] = []
    for (let count = 0; count < 300 && answers.at(-1)?.status !== 503; count++) answers.push(await write())
    const refused = answers.at(-1)
    expect([refused?.status, refused?.body.code]).toEqual([503, 'unavailable'])
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answers.slice(0, -1).every(({ status }) => status === 201)).toBe(true)
    expect(await stored()).toBe(answers.length)

    expect(await readiness()).toEqual([503, 'disk full'])
    expect((await fetch(`${app.origin}/healthz`)).status).toBe(200)
    const read = await app.call('GET', `/chat/messages?chat_dialog_id=${dialog}`, { token: client.token })
    expect(read.status).toBe(200)
    expect(await readiness()).toEqual([503, 'disk full'])

    await disk.free()
    expect(await readiness()).toEqual([200, 'ready'])
    expect((await write()).status).toBe(201)
    expect(await stored()).toBe(answers.length + 1)
  })
})

describe('a file for which there is no room', () => {
  const files = (directory: string) =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(eml|key)$|^filler$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))

  /** Sends a file, with room and without. */
  async function expectRefusal(app: TestApp, change: { fill(): void; free(): void }): Promise<void> {
    const { token } = await registerTherapist(app)
    const send = () => uploadFile(app, '/therapist/upload-document-file', { token, content: pdf(20_000) })
    const before = await fingerprint(app.db)
    change.fill()
    const refused = await send()
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
    expect(refused.body.message).toBe(
      'We cannot save anything at the moment. Please try again in a few minutes.',
    )
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await fingerprint(app.db)).toEqual(before)
    expect(files(app.directory)).toEqual([])
    // The database has room, so the instance goes on with everything else.
    expect((await fetch(`${app.origin}/readyz`)).status).toBe(200)
    change.free()
    expect((await send()).status).toBe(200)
    expect(files(app.directory)).toHaveLength(1)
  }

  test('is answered 503 and leaves nothing behind, where the storage breaks off half way', async () => {
    const { app, ...change } = await breakingOff()
    await expectRefusal(app, change)
    await app.close()
  })

  test('is answered 503 and leaves nothing behind, where the data folder is full', async () => {
    const disk = mountSmallDisk(4)
    const directory = join(disk?.directory ?? '', 'data')
    if (disk) mkdirSync(directory)
    // Where none can be mounted, the storage stands for it.
    const { app, ...change } = disk
      ? { ...disk, app: await buildTestApp({ directory }) }
      : await breakingOff()
    await expectRefusal(app, change)
    await app.close()
    disk?.remove()
  })

  async function breakingOff() {
    let isFull = false
    const app = await buildTestApp({
      storage: (folder) => ({
        ...folder,
        async put(key, source) {
          if (!isFull) return folder.put(key, source)
          const half = Readable.from(
            (async function* () {
              yield Buffer.alloc(1000)
              throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' })
            })(),
          )
          return folder.put(key, half)
        },
      }),
    })
    return {
      app,
      fill: () => void (isFull = true),
      free: () => void (isFull = false),
    }
  }
})
