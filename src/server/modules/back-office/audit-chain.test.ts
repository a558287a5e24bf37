import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '#server/db/connection.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { clusterDatabase } from '#test/cluster-database.ts'
import { createAdmin } from '#test/factories.ts'
import { emptyDatabase } from '#test/test-database.ts'
import { formatAnchor, parseAnchor } from './audit-chain.ts'
import { verifyChain } from './audit-chain.service.ts'
import { backOfficeAuditCheckJob } from './back-office.jobs.ts'
import { insertEntry } from './back-office.store.ts'

const command = fileURLToPath(new URL('../../commands/audit-verify.ts', import.meta.url))
const at = new Date('2026-06-01T08:00:00.123Z')

/** An entry with every field, or as few as there can be. */
const entry = (number: number) => ({
  at,
  actor_id: null,
  actor_name: 'operator',
  action: `action ${number} ‘é👩🏽‍⚕️’`,
  subject: 'a subject',
  reason: number % 2 ? 'a reason' : null,
})
const write = (db: Db, number: number) => inTransaction(db, async (tx) => insertEntry(tx, entry(number)))
const writeAll = async (db: Db, count: number) => {
  for (let number = 1; number <= count; number++) await write(db, number)
}

/** Runs statements as a superuser could, past every trigger. */
const tamper = (db: Db, statements: string) =>
  db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql.raw(statements).execute(tx)
  })

/** Resets the chain of a database, so that it begins now. */
const restart = (db: Db) =>
  tamper(db, 'delete from audit_log; delete from audit_head; delete from audit_checks')

const onBoth = [
  ['the embedded database', async () => ({ database: await emptyDatabase(), close: async () => undefined })],
  [
    'a cluster',
    async () => {
      const { database } = await clusterDatabase(20)
      return { database, close: () => database.close() }
    },
  ],
] as const

describe.each(onBoth)('the chain of the audit log on %s', (_kind, open) => {
  let db: Db
  let close: () => Promise<void>
  beforeEach(async () => {
    const opened = await open()
    db = opened.database.db
    close = opened.close
    await restart(db)
  })
  afterEach(() => close())

  test('has no fork when 200 write at once', async () => {
    await Promise.all(Array.from({ length: 200 }, (_, number) => write(db, number)))
    const { rows } = await sql<{ entries: number; last: number; parents: number }>`
      select count(*)::int as entries, max(seq)::int as last, count(distinct prev)::int as parents
      from audit_log`.execute(db)
    expect(rows).toEqual([{ entries: 200, last: 200, parents: 200 }])
    expect(await verifyChain(db)).toMatchObject({ last: { seq: 200 }, wrong: null })
  })

  test('covers every field, and what was written without knowing of it', async () => {
    const columns = await sql<{ name: string }>`
      select column_name as name from information_schema.columns where table_name = 'audit_log'
      order by 1`.execute(db)
    // One that is added later must be hashed too.
    expect(columns.rows.map(({ name }) => name)).toEqual([
      'action',
      'actor_id',
      'actor_name',
      'at',
      'hash',
      'id',
      'practitioner_id',
      'prev',
      'reason',
      'seq',
      'subject',
    ])
    await sql`insert into audit_log (at, actor_name, action, subject)
      values ('2026-06-01 08:00:00.1234567+00', 'operator', 'a', 'b')`.execute(db)
    expect(await verifyChain(db)).toMatchObject({ last: { seq: 1 }, wrong: null })
  })

  test.each([
    ["update audit_log set reason = 'another' where seq = 4", { seq: 4, what: 'changed' }],
    ["update audit_log set at = at + interval '1 microsecond' where seq = 4", { seq: 4, what: 'changed' }],
    [
      "update audit_log set actor_name = 'operato', action = 'r' || action where seq = 4",
      { seq: 4, what: 'changed' },
    ],
    ['delete from audit_log where seq = 4', { seq: 4, what: 'missing' }],
    ['delete from audit_log where seq = 1', { seq: 1, what: 'missing' }],
    [
      `delete from audit_log where seq = 4;
       insert into audit_log (at, actor_name, action, subject, seq, prev, hash)
       select at, actor_name, 'inserted', subject, 4, hash, hash from audit_log where seq = 3`,
      { seq: 4, what: 'changed' },
    ],
    [
      `insert into audit_log (at, actor_name, action, subject, seq, prev, hash)
       select at, actor_name, action, subject, 11, hash,
         audit_hash(hash, 11, at, actor_id, actor_name, action, subject, null, practitioner_id)
       from audit_log where seq = 10`,
      { seq: 11, what: 'added' },
    ],
    [
      `update audit_log set seq = 0 where seq = 4; update audit_log set seq = 4 where seq = 6;
       update audit_log set seq = 6 where seq = 0`,
      { seq: 4, what: 'changed' },
    ],
    ['delete from audit_log where seq > 7', { seq: 8, what: 'missing' }],
    [`update audit_head set hash = sha256('x')`, { seq: 10, what: 'changed' }],
    ['delete from audit_head', { seq: 1, what: 'added' }],
  ])('shows the first wrong entry after: %s', async (statements, wrong) => {
    await writeAll(db, 10)
    expect((await verifyChain(db)).wrong).toBe(null)
    await tamper(db, statements)
    expect((await verifyChain(db)).wrong).toEqual(wrong)
  })

  test('shows a tail that was cut, with its head, against an earlier anchor', async () => {
    await writeAll(db, 10)
    const { last: anchor } = await verifyChain(db)
    expect(parseAnchor(formatAnchor(anchor))).toEqual(anchor)
    await writeAll(db, 2)
    expect(await verifyChain(db, anchor)).toMatchObject({ last: { seq: 12 }, wrong: null })
    const cut = `delete from audit_log where seq > 8;
      update audit_head set seq = 8, hash = (select hash from audit_log where seq = 8)`
    await tamper(db, cut)
    expect((await verifyChain(db)).wrong).toBe(null)
    expect((await verifyChain(db, anchor)).wrong).toEqual({ seq: 10, what: 'missing' })
    // Other entries in their place do not help.
    await writeAll(db, 4)
    expect((await verifyChain(db)).wrong).toBe(null)
    expect((await verifyChain(db, anchor)).wrong).toEqual({ seq: 10, what: 'changed' })
  })

  test('has a head that only an entry moves', async () => {
    await writeAll(db, 1)
    for (const statement of [
      'update audit_head set seq = 5',
      'delete from audit_head',
      'truncate audit_head',
    ]) {
      await expect(sql.raw(statement).execute(db)).rejects.toThrow('audit_head moves with an entry')
    }
    expect((await verifyChain(db)).wrong).toBe(null)
  })

  test('is locked by the last statement of a transaction alone', async () => {
    await writeAll(db, 1)
    await inTransaction(db, async (tx) => {
      await insertEntry(tx, entry(2))
      expect((await tx.selectFrom('audit_log').select('seq').execute()).length).toBe(1)
    })
    expect((await db.selectFrom('audit_log').select('seq').execute()).length).toBe(2)
    await expect(
      inTransaction(db, async (tx) => {
        await insertEntry(tx, entry(3))
        throw new Error('not kept')
      }),
    ).rejects.toThrow('not kept')
    expect((await db.selectFrom('audit_log').select('seq').execute()).length).toBe(2)
  })
})

describe('the daily check', () => {
  let app: TestApp
  beforeEach(async () => {
    app = await buildTestApp()
    await restart(app.db)
  })
  afterEach(() => app.close())

  const check = async () => {
    await app.queue.enqueue(app.db, backOfficeAuditCheckJob, {})
    await app.queue.drain()
  }
  const chain = async (token: string) => (await app.call('GET', '/admin/audit', { token })).body.meta?.chain

  test('mails and logs the anchor, and the audit page shows since when the log is whole', async () => {
    const { token, email } = await createAdmin(app)
    expect(await chain(token)).toEqual({ checked_at: null, whole_since: null, wrong_entry: null })
    await writeAll(app.db, 3)
    await check()
    const { last } = await verifyChain(app.db)
    const [mail] = app.mails().slice(-1)
    expect(mail).toContain(`To: ${email}`)
    expect(mail?.replaceAll(/=\r?\n/g, '')).toContain(formatAnchor(last))
    expect(app.logged()).toContain(formatAnchor(last))
    expect(await chain(token)).toEqual({
      checked_at: app.clock.now().toISOString(),
      whole_since: at.toISOString(),
      wrong_entry: null,
    })
  })

  test('reports an entry that was changed, and a tail that was cut since the last check', async () => {
    const { token } = await createAdmin(app)
    await writeAll(app.db, 3)
    await check()
    await tamper(
      app.db,
      `delete from audit_log where seq = 3;
       update audit_head set seq = 2, hash = (select hash from audit_log where seq = 2)`,
    )
    await check()
    expect(await chain(token)).toMatchObject({ whole_since: null, wrong_entry: 3 })
    await tamper(app.db, "update audit_log set reason = 'x' where seq = 2")
    await check()
    expect(await chain(token)).toMatchObject({ whole_since: null, wrong_entry: 2 })
    expect(app.mails().at(-1)).toContain('Subject: The audit log has been changed')
  })
})

describe('npm run audit-verify', () => {
  const run = promisify(execFile)
  const verify = async (url: string, ...options: string[]) => {
    // As in the image, whose product others can reach.
    const env = { PATH: process.env.PATH, DATABASE_URL: url, HOST: '0.0.0.0' }
    const { code, stdout, stderr } = await run(process.execPath, [command, ...options], { env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    )
    return { code, words: `${stdout}${stderr}`.trim() }
  }

  test('names the first wrong entry, and detects a cut tail against an anchor', async () => {
    const { url, database } = await clusterDatabase(2)
    await writeAll(database.db, 5)
    const whole = await verify(url)
    const anchor = formatAnchor((await verifyChain(database.db)).last)
    expect(whole).toEqual({ code: 0, words: `The audit log is whole from entry 1 on. Its anchor: ${anchor}` })
    await tamper(
      database.db,
      `delete from audit_log where seq > 3;
       update audit_head set seq = 3, hash = (select hash from audit_log where seq = 3)`,
    )
    expect((await verify(url)).code).toBe(0)
    expect(await verify(url, `--from=${anchor}`)).toEqual({
      code: 1,
      words: 'Entry 5 of the audit log is missing.',
    })
    await tamper(database.db, "update audit_log set subject = 'x' where seq = 2")
    expect(await verify(url)).toEqual({
      code: 1,
      words: 'Entry 2 of the audit log is not as it was written.',
    })
    expect((await verify(url, '--from=nonsense')).code).toBe(2)
    await database.close()
  })

  const count = process.env.ENDURANCE === 'full' ? 1_000_000 : 5000
  test(`verifies ${count} entries in bounded memory`, async () => {
    const { database } = await clusterDatabase(2)
    for (let done = 0; done < count; done += 1000) {
      await sql`insert into audit_log (at, actor_name, action, subject)
        select now(), 'operator', 'look at document', 'document ' || n from generate_series(1, 1000) n`.execute(
        database.db,
      )
    }
    const before = process.memoryUsage().rss
    const begun = performance.now()
    expect(await verifyChain(database.db)).toMatchObject({ last: { seq: count }, wrong: null })
    const took = performance.now() - begun
    process.stdout.write(
      `${count} entries verified in ${Math.round(took)} ms, with ${Math.round((process.memoryUsage().rss - before) / 1e6)} MB more.\n`,
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(300e6)
    await database.close()
  }, 600_000)
})
