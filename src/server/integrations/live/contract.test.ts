import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { LiveEvent } from '#contract/chat/live.ts'
import { createSecrets } from '#server/secrets.ts'
import { emptyClusterDatabase } from '#test/cluster-database.ts'
import { startCuttingProxy } from '#test/cutting-proxy.ts'
import { startDeafProxy } from '#test/deaf-proxy.ts'
import { type PrivateRedis, startRedis } from '#test/private-redis.ts'
import { localLive } from './local.ts'
import type { Live } from './port.ts'
import { postgresLive } from './postgres.ts'
import { redisLive } from './redis.ts'

let redis: PrivateRedis
let databaseUrl: string
beforeAll(async () => {
  redis = await startRedis()
  databaseUrl = await emptyClusterDatabase()
})
afterAll(async () => redis.stop())

const secrets = createSecrets([randomBytes(32)])
const viaRedis = (from = secrets, url = redis.url): Live =>
  redisLive({
    url,
    seal: (bytes) => from.seal('live event', '', bytes),
    open: (bytes) => from.open('live event', '', bytes),
    say: () => undefined,
    lookEvery: 100,
  })
const viaPostgres = (url = databaseUrl, from = secrets): Live =>
  postgresLive({
    url,
    seal: (bytes) => from.seal('live event', '', bytes),
    open: (bytes) => from.open('live event', '', bytes),
    say: () => undefined,
    lookEvery: 100,
  })
const alone = () => {
  const live = localLive()
  return [live, live] as const
}
const pair = () => [viaRedis(), viaRedis()] as const
const pairInDatabase = () => [viaPostgres(), viaPostgres()] as const

let serial = 0
/** Joins an open socket of an account that records what it receives. */
function listener(live: Live, accountId: string) {
  const heard: unknown[] = []
  const id = `socket ${++serial}`
  const leave = live.join({
    id,
    accountId,
    deliver: (event, carried) => heard.push([event, carried]),
    recheck: () => heard.push('recheck'),
  })
  return { id, heard, leave }
}
/** Waits until instances hear of each other: before that they ask their sockets to look again. */
async function listening<Lives extends readonly Live[]>(lives: Lives): Promise<Lives> {
  await vi.waitFor(() => expect(lives.map((live) => live.hearsOthers())).toEqual(lives.map(() => true)), {
    timeout: 10_000,
  })
  return lives
}
const typing = (sender_id: string) => ({ chat_dialog_id: 'd', sender_id })

describe.each([
  ['within one instance', alone],
  ['between two instances by Redis', pair],
  ['between two instances by PostgreSQL', pairInDatabase],
])('live events %s', (_where, make) => {
  test('reach every socket of their accounts, on both instances, once, and no other socket', async () => {
    const [here, there] = await listening(make())
    try {
      const [one, two, three] = [listener(here, 'anna'), listener(there, 'anna'), listener(there, 'ben')]
      // Until both have found each other.
      await vi.waitFor(() => {
        here.tell(['anna'], { type: 'chat.changed' })
        expect(two.heard.length).toBeGreaterThan(0)
      })
      await vi.waitFor(() => {
        there.recheck('anna')
        expect(one.heard).toContain('recheck')
      })
      here.send(['ben'], 'typing', typing('last of the first'))
      await vi.waitFor(() => expect(three.heard).toHaveLength(1))
      for (const { heard } of [one, two, three]) heard.length = 0

      here.send(['anna', 'anna', 'nobody'], 'typing', typing('x'), { except: one.id })
      here.send(['ben'], 'typing', typing('end'))
      await vi.waitFor(() => expect(three.heard).toEqual([['typing', typing('end')]]))
      expect(one.heard).toEqual([])
      expect(two.heard).toEqual([['typing', typing('x')]])

      const typings = ['first', 'second', 'third'].map((name) => ({
        accountIds: ['anna', 'ben'],
        event: 'typing' as const,
        carried: typing(name),
        except: name === 'second' ? one.id : undefined,
      }))
      here.sendAll([])
      here.sendAll(typings)
      here.sendAll(typings.slice(0, 1))
      await vi.waitFor(() => expect(three.heard).toHaveLength(5))
      const names = (listener: { heard: unknown[] }) =>
        listener.heard.map((each) => (each as [string, { sender_id: string }])[1].sender_id)
      expect(names(one)).toEqual(['first', 'third', 'first'])
      expect(names(two)).toEqual(['x', 'first', 'second', 'third', 'first'])
      expect(names(three)).toEqual(['end', 'first', 'second', 'third', 'first'])
    } finally {
      await here.close()
      await there.close()
    }
  })

  test('of the kind of hints are heard by both instances themselves, and at once where they were sent', async () => {
    const [here, there] = await listening(make())
    const [heardHere, heardThere]: LiveEvent[][] = [[], []]
    here.onNotice((event) => heardHere?.push(event))
    there.onNotice((event) => heardThere?.push(event))
    const ben = listener(there, 'ben')
    try {
      await vi.waitFor(() => {
        here.tell(['ben'], { type: 'chat.changed' })
        expect(ben.heard.length).toBeGreaterThan(0)
      })
      for (const heard of [heardHere, heardThere]) heard?.splice(0)
      const changed = { type: 'room.changed', appointment_id: 'a' } as const
      here.send(['ben'], 'typing', typing('x'))
      here.tell(['nobody'], changed)
      // Within one instance both are the same.
      expect(heardHere?.[0]).toEqual(changed)
      await vi.waitFor(() => expect(heardThere).toContainEqual(changed))
    } finally {
      await here.close()
      await there.close()
    }
  })

  test('carry a signal of 16 KB whole, and in its place among others', async () => {
    const [here, there] = await listening(make())
    try {
      const ben = listener(there, 'ben')
      await vi.waitFor(async () => expect(await here.isOnline('ben')).toBe(true))
      const signalOf = (n: number, length: number) => ({
        appointment_id: '00000000-0000-4000-8000-000000000001',
        to: '00000000-0000-4000-8000-000000000002',
        from: '00000000-0000-4000-8000-000000000003',
        n,
        kind: 'description' as const,
        data: 'é'.repeat(length / 2 - 1),
      })
      const signals = [signalOf(1, 100), signalOf(2, 16 * 1024), signalOf(3, 16 * 1024), signalOf(4, 100)]
      for (const signal of signals) here.send(['ben'], 'signal', signal)
      await vi.waitFor(() => expect(ben.heard).toHaveLength(4))
      expect(ben.heard).toEqual(signals.map((signal) => ['signal', signal]))
    } finally {
      await here.close()
      await there.close()
    }
  })

  test('know who is there', async () => {
    const [here, there] = await listening(make())
    try {
      const { leave } = listener(here, 'clara')
      await vi.waitFor(async () => expect(await there.isOnline('clara')).toBe(true))
      expect(await there.isOnline('nobody')).toBe(false)
      leave()
      await vi.waitFor(async () => expect(await there.isOnline('clara')).toBe(false))
      expect(await here.isOnline('clara')).toBe(false)
    } finally {
      await here.close()
      await there.close()
    }
  })
})

describe('by Redis', () => {
  test('goes nothing that can be read there, or made up there', async () => {
    const [here, there] = pair()
    const spy = new Redis(redis.url)
    try {
      const seen: Buffer[] = []
      spy.on('messageBuffer', (_channel: Buffer, message: Buffer) => seen.push(message))
      await spy.subscribe('hearth:live')
      const ben = listener(there, 'ben')
      await vi.waitFor(() => {
        here.send(['ben'], 'typing', typing('canary words'))
        expect(ben.heard.length).toBeGreaterThan(0)
      })
      expect(seen.length).toBeGreaterThan(0)
      expect(Buffer.concat(seen).toString('latin1')).not.toContain('canary')

      const stranger = viaRedis(createSecrets([randomBytes(32)]))
      const forger = new Redis(redis.url)
      await vi.waitFor(async () => expect(await stranger.isOnline('ben')).toBe(true))
      stranger.send(['ben'], 'typing', typing('forged'))
      await forger.publish(
        'hearth:live',
        JSON.stringify({ from: 'x', broadcast: { kind: 'recheck', accountIds: ['ben'] } }),
      )
      here.send(['ben'], 'typing', typing('true'))
      await vi.waitFor(() => expect(ben.heard.at(-1)).toEqual(['typing', typing('true')]))
      expect(ben.heard).not.toContainEqual(['typing', typing('forged')])
      expect(ben.heard).not.toContain('recheck')
      forger.disconnect()
      await stranger.close()
    } finally {
      spy.disconnect()
      await here.close()
      await there.close()
    }
  })

  test('away and back, no call waits or fails, and every socket is asked to reload', async () => {
    const [here, there] = pair()
    try {
      const [anna, ben] = [listener(here, 'anna'), listener(there, 'ben')]
      await vi.waitFor(async () => expect(await here.isOnline('ben')).toBe(true))
      await redis.stop()
      const started = performance.now()
      for (let sent = 0; sent < 500; sent++) here.send(['anna', 'ben'], 'typing', typing('away'))
      expect(await here.isOnline('ben')).toBe(false)
      expect(performance.now() - started).toBeLessThan(500)
      expect(anna.heard.filter((each) => JSON.stringify(each).includes('away'))).toHaveLength(500)
      await vi.waitFor(() => expect(ben.heard).toContainEqual(['notice', { type: 'chat.changed' }]))
      expect(ben.heard).toContainEqual(['look', undefined])
      expect([here.hearsOthers(), there.hearsOthers()]).toEqual([false, false])
      await redis.start()
      await vi.waitFor(
        () => {
          here.send(['ben'], 'typing', typing('back'))
          expect(ben.heard).toContainEqual(['typing', typing('back')])
        },
        { timeout: 10_000 },
      )
      await vi.waitFor(async () => expect(await here.isOnline('ben')).toBe(true), { timeout: 10_000 })
      expect([here.hearsOthers(), there.hearsOthers()]).toEqual([true, true])
    } finally {
      await here.close()
      await there.close()
    }
  })
})

describe('by PostgreSQL', () => {
  test('goes nothing that can be read there, or made up there', async () => {
    const [here, there] = pairInDatabase()
    const stranger = viaPostgres(databaseUrl, createSecrets([randomBytes(32)]))
    const spy = new pg.Client(databaseUrl)
    try {
      await spy.connect()
      const seen: string[] = []
      spy.on('notification', ({ payload }) =>
        seen.push(Buffer.from(payload ?? '', 'base64').toString('latin1')),
      )
      await spy.query('listen hearth_live')
      const ben = listener(there, 'ben')
      await vi.waitFor(() => {
        here.send(['ben'], 'typing', typing('canary words'))
        expect(ben.heard.length).toBeGreaterThan(0)
      })
      await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0))
      expect(seen.join('')).not.toContain('canary')

      const before = seen.length
      await vi.waitFor(() => {
        stranger.send(['ben'], 'typing', typing('forged'))
        expect(seen.length).toBeGreaterThan(before + 3)
      })
      const forged = {
        from: 'x',
        note: { kind: 'broadcast', broadcast: { kind: 'recheck', accountIds: ['ben'] } },
      }
      await spy.query('select pg_notify($1, $2)', [
        'hearth_live',
        Buffer.from(JSON.stringify(forged)).toString('base64'),
      ])
      here.send(['ben'], 'typing', typing('true'))
      await vi.waitFor(() => expect(ben.heard.at(-1)).toEqual(['typing', typing('true')]))
      expect(ben.heard).not.toContainEqual(['typing', typing('forged')])
      expect(ben.heard).not.toContain('recheck')
    } finally {
      await spy.end()
      await stranger.close()
      await here.close()
      await there.close()
    }
  })

  test('an instance alone broadcasts nothing, until it hears of another one', async () => {
    const spy = new pg.Client(databaseUrl)
    const here = postgresLive({
      url: databaseUrl,
      seal: (bytes) => bytes,
      open: (bytes) => bytes,
      say: () => undefined,
      lookEvery: 100,
      assumeOthersFor: 0,
    })
    try {
      await spy.connect()
      const broadcasts: string[] = []
      const others: string[] = []
      spy.on('notification', ({ payload }) => {
        const text = Buffer.from(payload ?? '', 'base64').toString()
        ;(text.includes('"broadcast"') ? broadcasts : others).push(text)
      })
      await spy.query('listen hearth_live')
      await listening([here])
      const anna = listener(here, 'anna')
      // It says so every 100 ms.
      await vi.waitFor(() => expect(others.length).toBeGreaterThan(3))
      here.send(['anna', 'ben'], 'typing', typing('alone'))
      const heardBefore = others.length
      await vi.waitFor(() => expect(others.length).toBeGreaterThan(heardBefore + 1))
      expect(broadcasts).toEqual([])
      expect(anna.heard).toEqual([['typing', typing('alone')]])

      const there = postgresLive({
        url: databaseUrl,
        seal: (bytes) => bytes,
        open: (bytes) => bytes,
        say: () => undefined,
      })
      await listening([there])
      const ben = listener(there, 'ben')
      await vi.waitFor(async () => expect(await here.isOnline('ben')).toBe(true))
      here.send(['ben'], 'typing', typing('together'))
      await vi.waitFor(() => expect(ben.heard).toEqual([['typing', typing('together')]]))
      expect(broadcasts).toHaveLength(1)
      await there.close()
    } finally {
      await spy.end()
      await here.close()
    }
  })

  test('events that are too long together come one by one, a long one in parts and a very long one as a hint', async () => {
    const [here, there] = await listening(pairInDatabase())
    try {
      const ben = listener(there, 'ben')
      await vi.waitFor(async () => expect(await here.isOnline('ben')).toBe(true))
      const events = Array.from({ length: 60 }, (_, index) => ({
        accountIds: ['ben'],
        event: 'typing' as const,
        carried: typing(`${index} ${'x'.repeat(index === 40 ? 200_000 : index === 30 ? 20_000 : 400)}`),
      }))
      here.sendAll(events)
      await vi.waitFor(() => expect(ben.heard).toHaveLength(60))
      expect(ben.heard).toEqual(
        events.map(({ carried }, index) =>
          index === 40 ? ['notice', { type: 'chat.changed' }] : ['typing', carried],
        ),
      )
    } finally {
      await here.close()
      await there.close()
    }
  })

  test('through a pooler that passes on no notification, an instance does not pass for one that hears others', async () => {
    const proxy = await startDeafProxy(databaseUrl)
    const said: string[] = []
    const here = postgresLive({
      url: proxy.url,
      seal: (bytes) => bytes,
      open: (bytes) => bytes,
      say: (sentence) => said.push(sentence),
      lookEvery: 100,
      hearsWithin: 300,
      retryDeafAfter: 100,
    })
    try {
      const anna = listener(here, 'anna')
      await vi.waitFor(() => expect(said).toEqual([expect.stringContaining('passes on no notification')]), {
        timeout: 20_000,
      })
      expect(here.hearsOthers()).toBe(false)
      await vi.waitFor(() => expect(anna.heard).toContainEqual(['look', undefined]))
      proxy.hear()
      await vi.waitFor(() => expect(here.hearsOthers()).toBe(true), { timeout: 20_000 })
      // Once, however often it was tried.
      expect(said).toHaveLength(2)
      expect(said[1]).toContain('is back')
    } finally {
      await here.close()
      await proxy.close()
    }
  })

  test('away and back, no call waits or fails, and every socket is asked to reload', async () => {
    const proxy = await startCuttingProxy()
    proxy.leadTo(databaseUrl)
    const address = new URL(databaseUrl)
    address.port = new URL(proxy.origin).port
    const [here, there] = [viaPostgres(address.href), viaPostgres(address.href)]
    try {
      const [anna, ben] = [listener(here, 'anna'), listener(there, 'ben')]
      await vi.waitFor(async () => expect(await here.isOnline('ben')).toBe(true))
      proxy.leadTo(undefined)
      const admin = new pg.Client(databaseUrl)
      await admin.connect()
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'hearth live' and datname = current_database()`,
      )
      await admin.end()
      await vi.waitFor(async () => expect(await here.isOnline('ben')).toBe(false))
      for (let sent = 0; sent < 500; sent++) here.send(['anna', 'ben'], 'typing', typing('away'))
      expect(anna.heard.filter((each) => JSON.stringify(each).includes('away'))).toHaveLength(500)
      await vi.waitFor(() => expect(ben.heard).toContainEqual(['notice', { type: 'chat.changed' }]))
      expect(ben.heard).toContainEqual(['look', undefined])
      expect(JSON.stringify(ben.heard)).not.toContain('away')
      proxy.leadTo(databaseUrl)
      await vi.waitFor(
        () => {
          here.send(['ben'], 'typing', typing('back'))
          expect(ben.heard).toContainEqual(['typing', typing('back')])
        },
        { timeout: 10_000 },
      )
      await vi.waitFor(async () => expect(await here.isOnline('ben')).toBe(true), { timeout: 10_000 })
    } finally {
      await here.close()
      await there.close()
      await proxy.close()
    }
  })
})

describe.each([
  ['Redis', () => redis.url, (url: string) => viaRedis(secrets, url)],
  ['PostgreSQL', () => databaseUrl, (url: string) => viaPostgres(url)],
] as const)('where one instance alone loses %s', (_, urlOf, via) => {
  test('the sockets of the others are asked to read what it could not send', async () => {
    const proxy = await startCuttingProxy()
    const url = urlOf()
    proxy.leadTo(url)
    const address = new URL(url)
    address.port = new URL(proxy.origin).port
    const [here, there] = [via(address.href), via(url)]
    try {
      await listening([here, there])
      const ben = listener(there, 'ben')
      await vi.waitFor(async () => expect(await here.isOnline('ben')).toBe(true), { timeout: 10_000 })
      proxy.leadTo(undefined)
      proxy.cutAll()
      await vi.waitFor(() => expect(here.hearsOthers()).toBe(false))
      here.send(['ben'], 'typing', typing('away'))
      await vi.waitFor(() => expect(there.hearsOthers()).toBe(true))
      expect(ben.heard).toEqual([])
      proxy.leadTo(url)
      await vi.waitFor(() => expect(ben.heard).toContainEqual(['look', undefined]), { timeout: 10_000 })
      // Once, and nothing that it sends afterwards asks for more.
      here.send(['ben'], 'typing', typing('back'))
      await vi.waitFor(() => expect(ben.heard).toContainEqual(['typing', typing('back')]), {
        timeout: 10_000,
      })
      expect(ben.heard.filter((each) => JSON.stringify(each).startsWith('["look"'))).toHaveLength(1)
      expect(JSON.stringify(ben.heard)).not.toContain('"away"')
    } finally {
      await here.close()
      await there.close()
      await proxy.close()
    }
  })
})
