import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { seconds } from '../../clock.ts'
import { type Broadcast, createHub, type JoinOptions, opened, sendingBy } from './hub.ts'
import type { Connection, Live } from './port.ts'

const channel = 'hearth:live'
/** An instance that has died is forgotten after this, by itself. */
const presentFor = seconds(75)
const presenceEvery = seconds(25)
/** Publications that may be under way; a Redis that hangs must not fill the memory. */
const maxUnderWay = 1000

/**
 * Joins several instances by Redis. No call waits for it. While Redis is away, events reach only this instance's sockets.
 * The sockets of other instances are asked to reload, and find the messages by the sequence of their dialogs.
 */
export function redisLive({ url, seal, open, say, lookEvery = seconds(20) }: JoinOptions): Live {
  const hub = createHub()
  const instance = randomUUID()
  const settings = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: seconds(3),
    commandTimeout: seconds(3),
    autoResubscribe: false,
    retryStrategy: (times: number) => Math.min(100 * times, seconds(2)),
  }
  const publisher = new Redis(url, settings)
  const subscriber = new Redis(url, settings)
  let underWay = 0
  let isListening = false
  let isAway = false
  let isClosed = false
  /** Whether events were dropped since the others were asked to look. */
  let hasDropped = false

  const askToLook = () => hub.askToLook(Math.min(lookEvery, seconds(3)))

  // Without a listener an error would end the process.
  publisher.on('error', () => undefined)
  subscriber.on('error', () => undefined)
  subscriber.on('ready', () => {
    subscriber.subscribe(channel).then(
      () => {
        isListening = true
        if (!isAway) return
        isAway = false
        say('Redis is back: instances hear of each other again.')
        askToLook()
      },
      () => subscriber.disconnect(true),
    )
  })
  subscriber.on('close', () => {
    isListening = false
    if (isAway || isClosed) return
    isAway = true
    say('Redis is away: until it is back, people on other instances hear of what happens a little later.')
  })
  subscriber.on('messageBuffer', (_channel: Buffer, message: Buffer) => {
    const received = opened(open, message) as { from: string; broadcast: Broadcast } | undefined
    if (!received || received.from === instance) return
    const { broadcast } = received
    hub.spread(broadcast)
    if (broadcast.kind === 'recheck' && broadcast.missed) askToLook()
  })
  publisher.on('ready', () => {
    void notePresence(hub.accounts())
    makeUp()
  })

  function tellAll(broadcast: Broadcast): void {
    hub.spread(broadcast)
    if (publisher.status !== 'ready' || underWay >= maxUnderWay) {
      hasDropped = true
      return
    }
    underWay += 1
    const message = seal(Buffer.from(JSON.stringify({ from: instance, broadcast })))
    publisher
      .publish(channel, message)
      .then(makeUp, () => {
        hasDropped = true
      })
      .finally(() => {
        underWay -= 1
      })
  }

  /** Has the others look, once they can be reached again after events were dropped. */
  function makeUp(): void {
    if (!hasDropped || isClosed) return
    hasDropped = false
    tellAll({ kind: 'recheck', accountIds: [], missed: true })
  }

  /** Stores that these accounts are on this instance. A failure is ignored, since the call is repeated. */
  async function notePresence(accountIds: string[]): Promise<void> {
    if (publisher.status !== 'ready' || accountIds.length === 0) return
    const pipeline = publisher.pipeline()
    for (const accountId of accountIds) {
      pipeline.zadd(keyOf(accountId), Date.now() + presentFor, instance)
      pipeline.pexpire(keyOf(accountId), presentFor)
    }
    await pipeline.exec().catch(() => undefined)
  }

  const presence = setInterval(() => void notePresence(hub.accounts()), presenceEvery).unref()
  const looking = setInterval(() => {
    if (!isListening) askToLook()
  }, lookEvery).unref()

  return {
    ...sendingBy(tellAll),
    onNotice: hub.onNotice,
    hearsOthers: () => isListening,

    async isOnline(accountId) {
      if (hub.has(accountId)) return true
      if (publisher.status !== 'ready') return false
      return (await publisher.zcount(keyOf(accountId), Date.now(), '+inf').catch(() => 0)) > 0
    },

    join(connection: Connection) {
      if (hub.add(connection)) void notePresence([connection.accountId])
      return () => {
        if (!hub.remove(connection) || publisher.status !== 'ready') return
        publisher.zrem(keyOf(connection.accountId), instance).catch(() => undefined)
      }
    },

    async close() {
      isClosed = true
      hub.close()
      clearInterval(presence)
      clearInterval(looking)
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}

const keyOf = (accountId: string) => `hearth:online:${accountId}`
