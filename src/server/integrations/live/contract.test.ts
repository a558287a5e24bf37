import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSecrets } from '#server/secrets.ts'
import { type PrivateRedis, startRedis } from '#test/private-redis.ts'
import { localLive } from './local.ts'
import type { Live } from './port.ts'
import { redisLive } from './redis.ts'

let redis: PrivateRedis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(async () => redis.stop())

const secrets = createSecrets([randomBytes(32)])
const viaRedis = (from = secrets): Live =>
  redisLive({
    url: redis.url,
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
const typing = (sender_id: string) => ({ chat_dialog_id: 'd', sender_id })

describe.each([
  ['within one instance', alone],
  ['between two instances by Redis', pair],
])('live events %s', (_where, make) => {
  test('reach every socket of their accounts, on both instances, once, and no other socket', async () => {
    const [here, there] = make()
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

  test('know who is there', async () => {
    const [here, there] = make()
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
      await redis.start()
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
    }
  })
})
