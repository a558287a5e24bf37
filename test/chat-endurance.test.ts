import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from '#server/db/connection.ts'
import { type Instance, insertPairs, openDialogOf, startInstance } from './chat-people.ts'
import { startReader } from './chat-reader.ts'
import { connectChat } from './chat-socket.ts'
import { clusterDatabase } from './cluster-database.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import { heldMessages } from './held-messages.ts'
import { startRedis } from './private-redis.ts'

/** All 10,000 messages on request, a tenth of them otherwise. */
const total = process.env.ENDURANCE === 'full' ? 10_000 : 1000
const connections = 50

let database: Database
let url: string
let directory: string

/** Killed after the test, even if it failed. */
const started: { kill(): Promise<void> }[] = []
async function start(redisUrl = ''): Promise<Instance> {
  const instance = await startInstance(url, directory, redisUrl)
  started.push(instance)
  return instance
}

beforeAll(async () => {
  ;({ database, url } = await clusterDatabase(4))
  directory = mkdtempSync(join(tmpdir(), 'hearth-chat-'))
})
afterAll(async () => {
  await Promise.all(started.map((each) => each.kill()))
  await database.close()
  rmSync(directory, { recursive: true, force: true })
})

test(`${total} messages through cut lines and two crashes arrive once each, in one order for both`, {
  timeout: 900_000,
}, async () => {
  const proxy = await startCuttingProxy(40)
  let instance: Instance = await start()
  proxy.leadTo(instance.origin)
  const pairs = await insertPairs(database.db, connections / 2)
  const dialogs = await Promise.all(pairs.map((pair) => openDialogOf(instance.origin, pair)))
  const readers = await Promise.all(
    pairs.flatMap((pair, index) =>
      [pair.client, pair.therapist].map((person) =>
        startReader(proxy.origin, person.token, dialogs[index] ?? ''),
      ),
    ),
  )
  try {
    let sent = 0
    let crashes = 0
    const crash = async () => {
      crashes += 1
      await instance.kill()
      proxy.leadTo(undefined)
      instance = await start()
      proxy.leadTo(instance.origin)
    }
    const crashing: Promise<void>[] = []
    await Promise.all(
      readers.map(async (reader, index) => {
        for (let mine = 0; mine < total / connections; mine++) {
          await reader.send(`Message ${mine} of ${index}`)
          sent += 1
          if (sent === Math.floor(total / 3) || sent === Math.floor((2 * total) / 3)) crashing.push(crash())
        }
      }),
    )
    await Promise.all(crashing)
    proxy.stopCutting()
    await vi.waitFor(
      async () => {
        await Promise.all(readers.map((reader) => reader.catchUp()))
        expect(readers.reduce((sum, { read }) => sum + read.length, 0)).toBe(2 * total)
      },
      { timeout: 60_000, interval: 100 },
    )

    expect(crashes).toBe(2)
    expect(proxy.cuts()).toBeGreaterThan(20)
    for (const [index, dialog] of dialogs.entries()) {
      const [one, other] = [readers[2 * index], readers[2 * index + 1]]
      if (!one || !other) throw new Error('A reader is missing.')
      expect(one.read.map(({ seq }) => seq)).toEqual(one.read.map((_, at) => at + 1))
      expect(other.read).toEqual(one.read)
      const ids = one.read.map(({ _id }) => _id)
      expect(new Set(ids)).toEqual(new Set([...one.acknowledged, ...other.acknowledged]))
      expect(ids.length).toBe((2 * total) / connections)
      const rows = await database.db
        .selectFrom('chat_messages')
        .select('id')
        .where('dialog_id', '=', dialog)
        .orderBy('seq')
        .execute()
      expect(rows.map(({ id }) => id)).toEqual(ids)
      // What one wrote stands in the order in which it was written.
      const written = (sender: string) => one.read.filter(({ sender_id }) => sender_id === sender)
      const own = written(pairs[index]?.client.accountId ?? '').map(({ message }) => message)
      expect(own).toEqual(own.map((_, mine) => `Message ${mine} of ${2 * index}`))
    }
  } finally {
    for (const reader of readers) reader.close()
    await proxy.close()
    await instance.kill()
  }
})

test.each([
  ['is written after all', false],
  ['is broken off', true],
])(
  'a crash with a group on its way, which %s, loses no message and doubles none',
  {
    timeout: 60_000,
  },
  async (_what, isBrokenOff) => {
    const crashing = await clusterDatabase(4)
    const { db } = crashing.database
    const instance = await startInstance(crashing.url, directory)
    started.push(instance)
    const groupsAtOnce = 4
    const pairs = await insertPairs(db, groupsAtOnce + 20)
    const talks = await Promise.all(
      pairs.map(async (pair) => ({
        client: pair.client,
        id: crypto.randomUUID(),
        dialog: await openDialogOf(instance.origin, pair),
      })),
    )
    const firsts = talks.slice(0, groupsAtOnce)
    const others = talks.slice(groupsAtOnce)
    const inGroup = others[0]?.dialog ?? ''
    const held = await heldMessages(db)
    const sendAll = async (origin: string, some: typeof talks) => {
      const senders = await Promise.all(
        some.map(async ({ client, dialog, id }) => ({
          dialog,
          id,
          socket: await connectChat(origin, client.token),
        })),
      )
      return {
        answers: senders.map(({ socket, dialog, id }) => socket.send(dialog, 'Once.', id)),
        close: () => senders.forEach(({ socket }) => socket.close()),
      }
    }
    const written = () => db.selectFrom('chat_messages').select(['dialog_id', 'id', 'seq']).execute()

    // The first ones are on their way; all others wait, and are then on their way together.
    for (const { dialog } of firsts) await held.hold(dialog)
    await held.hold(inGroup)
    const alone = await sendAll(instance.origin, firsts)
    await held.untilWaiting(groupsAtOnce)
    const together = await sendAll(instance.origin, others)
    const unanswered = Promise.allSettled([...alone.answers, ...together.answers])
    await sleep(300)
    for (const { dialog } of firsts) await held.release(dialog)
    for (const answer of alone.answers) expect(await answer).toMatchObject({ ok: true })
    await held.untilWaiting()
    expect(await written()).toHaveLength(firsts.length)
    await instance.kill()
    if (isBrokenOff) await held.breakOff()
    await held.release(inGroup)
    await vi.waitFor(async () =>
      expect(await written()).toHaveLength(isBrokenOff ? firsts.length : talks.length),
    )
    alone.close()
    together.close()
    await unanswered

    const next = await startInstance(crashing.url, directory)
    started.push(next)
    const again = await sendAll(next.origin, talks)
    const answers = await Promise.all(again.answers)
    again.close()
    for (const answer of answers) expect(answer).toMatchObject({ ok: true, message: { seq: 1 } })
    const byDialog = (one: { dialog_id: string }, other: { dialog_id: string }) =>
      one.dialog_id < other.dialog_id ? -1 : 1
    expect((await written()).toSorted(byDialog)).toEqual(
      talks.map(({ dialog, id }) => ({ dialog_id: dialog, id, seq: 1 })).toSorted(byDialog),
    )
    await crashing.database.close()
  },
)

test('two instances hear of each other, and neither waits for Redis while it is away', {
  timeout: 120_000,
}, async () => {
  const redis = await startRedis()
  started.push({ kill: redis.stop })
  const instances = await Promise.all([start(redis.url), start(redis.url)])
  const [here, there] = instances
  if (!here || !there) throw new Error('An instance is missing.')
  const [pair] = await insertPairs(database.db, 1)
  if (!pair) throw new Error('Nobody is there.')
  const dialog = await openDialogOf(here.origin, pair)
  const client = await startReader(here.origin, pair.client.token, dialog)
  const therapist = await startReader(there.origin, pair.therapist.token, dialog)
  try {
    const hints: unknown[] = []
    therapist.socket.on('notice', (event) => {
      hints.push(event)
      void therapist.catchUp()
    })
    await vi.waitFor(() => expect(client.socket.connected && therapist.socket.connected).toBe(true))
    await client.send('Good morning.')
    await vi.waitFor(() => expect(therapist.read).toHaveLength(1))
    await therapist.send('Good morning to you.')
    await vi.waitFor(() => expect(client.read).toHaveLength(2))

    await redis.stop()
    const began = performance.now()
    for (let sent = 0; sent < 5; sent++) await client.send(`While it is away ${sent}`)
    // Nothing waited for a timeout.
    expect(performance.now() - began).toBeLessThan(3000)
    expect((await fetch(`${there.origin}/healthz`)).status).toBe(200)
    // The other instance asks its people to look, and the sequence brings what they have missed.
    await vi.waitFor(() => expect(therapist.read).toHaveLength(7), { timeout: 10_000 })
    expect(hints).toContainEqual({ type: 'chat.changed' })

    await redis.start()
    await vi.waitFor(
      async () => {
        const before = client.read.length
        await therapist.send('Is it back?')
        await sleep(200)
        expect(client.read.length).toBe(before + 1)
      },
      { timeout: 20_000 },
    )
    await client.send('It is.')
    await vi.waitFor(() => expect(therapist.read.at(-1)?.message).toBe('It is.'))
    await client.catchUp()
    expect(client.read).toEqual(therapist.read)
  } finally {
    client.close()
    therapist.close()
    await Promise.all(instances.map((each) => each.kill()))
    await redis.stop()
  }
})
