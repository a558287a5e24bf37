import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { seconds } from '../../clock.ts'
import { type Broadcast, createHub, type JoinOptions, ofSeveral, opened, sendingBy } from './hub.ts'
import { createParts, partsOf } from './parts.ts'
import type { Connection, Live } from './port.ts'

type Options = JoinOptions & {
  /** For how long after connecting other instances are assumed to be there, in milliseconds. */
  assumeOthersFor?: number
  /** A note to itself that an instance does not hear within this time shows that it hears nothing. Milliseconds. */
  hearsWithin?: number
  /** How long an instance that hears nothing waits until it connects again, in milliseconds. */
  retryDeafAfter?: number
}

/** The connection is alive, and what is sent to it does not arrive. */
class Deaf extends Error {
  override name = 'Deaf'
}

/** What goes between instances beside broadcasts: who is where, and a question for it. */
type Note =
  | { kind: 'broadcast'; broadcast: Broadcast }
  | { kind: 'present'; accountIds: readonly string[] }
  | { kind: 'left'; accountId: string }
  /** `missed`: events of this instance did not reach the others. Their sockets are asked to read anew. */
  | { kind: 'hello'; missed: boolean }

const channel = 'hearth_live'
/** PostgreSQL takes 7,999 bytes in one notification. */
const maxPayload = 7900
/** Notifications that one event may need: a signal of 16 KB needs three. */
const maxParts = 12
const accountsAtOnce = 100
/** An instance that has died is forgotten after this. */
const presentFor = seconds(75)
const presenceEvery = seconds(25)
/** Notifications that may wait; a server that hangs must not fill the memory. */
const maxWaiting = 1000
const atOnce = 100

/**
 * Joins several instances by LISTEN and NOTIFY, where there is no Redis. No call waits for it. While the connection is
 * away, events reach only this instance's sockets, and the others are asked to reload as with Redis. The address is the
 * server's own: a pooler that shares sessions out does not pass on what is listened for. An instance that does not hear a
 * note to itself says so, and goes on as while the connection is away.
 */
export function postgresLive({
  url,
  seal,
  open,
  say,
  lookEvery = seconds(20),
  assumeOthersFor = seconds(30),
  hearsWithin = seconds(10),
  retryDeafAfter = seconds(20),
}: Options): Live {
  const hub = createHub()
  const instance = randomUUID()
  /** Until when accounts count as present on other instances, by account and instance. */
  const elsewhere = new Map<string, Map<string, number>>()
  const parts = createParts(maxParts)
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let failures = 0
  /** Every instance says hello when it connects, and is heard every 20 seconds: until then there may be another one. */
  let othersUntil = 0
  let waiting: string[] = []
  let isSending = false
  let isListening = false
  let isAway = false
  let isDeaf = false
  let isClosed = false
  /** Since when a note to itself is on its way, in epoch milliseconds. */
  let unheardSince: number | undefined
  /** Called when a note of this instance has come back. */
  let onOwn: () => void = () => undefined
  /** Whether events were dropped since the last hello. */
  let hasDropped = false

  const askToLook = () => hub.askToLook(Math.min(lookEvery, seconds(3)))

  const lose = (lost: pg.Client, error?: unknown) => {
    if (client !== lost) return
    client = undefined
    hasDropped ||= isSending || waiting.length > 0
    isListening = false
    isSending = false
    waiting = []
    lost.end().catch(() => undefined)
    if (isClosed) return
    if (error instanceof Deaf) {
      if (!isDeaf)
        say(
          'DATABASE_LISTEN_URL passes on no notification, as a pooler in transaction mode: give the server’s own address. Until then people on other instances hear of what happens a little later.',
        )
      isDeaf = isAway = true
      retry = setTimeout(connect, retryDeafAfter).unref()
      return
    }
    if (!isAway) {
      isAway = true
      say('DATABASE_LISTEN_URL is away: people on other instances hear of what happens a little later.')
    }
    failures += 1
    retry = setTimeout(connect, Math.min(100 * failures, seconds(2))).unref()
  }

  const newClient = () =>
    new pg.Client({
      connectionString: url,
      fallback_application_name: 'hearth live',
      keepAlive: true,
      connectionTimeoutMillis: seconds(3),
      query_timeout: seconds(3),
    })

  function connect(): void {
    const made = newClient()
    client = made
    made.on('error', () => lose(made))
    made.on('end', () => lose(made))
    made.on('notification', ({ payload }) => hear(payload ?? ''))
    made
      .connect()
      .then(() => made.query(`listen ${channel}`))
      .then(hearOneself)
      .then(
        () => {
          if (client !== made) return
          isListening = true
          isDeaf = false
          unheardSince = undefined
          failures = 0
          othersUntil = Math.max(othersUntil, Date.now() + assumeOthersFor)
          if (isAway) {
            isAway = false
            say('DATABASE_LISTEN_URL is back: instances hear of each other again.')
            askToLook()
          }
          sayHello()
          tellPresence()
        },
        (error: unknown) => lose(made, error),
      )
  }

  /**
   * Waits for a note to itself from a second connection: one from the same would come back also through a pooler that
   * happens to use the same session again.
   * @throws Deaf if it does not arrive
   */
  async function hearOneself(): Promise<void> {
    const heard = Promise.withResolvers<void>()
    onOwn = heard.resolve
    const timer = setTimeout(() => heard.reject(new Deaf()), hearsWithin).unref()
    const sent = sendFromAnother(sealed({ kind: 'present', accountIds: [] }))
    await Promise.all([sent, heard.promise]).finally(() => clearTimeout(timer))
  }

  async function sendFromAnother(payload: string): Promise<void> {
    const other = newClient()
    other.on('error', () => undefined)
    try {
      await other.connect()
      await other.query('select pg_notify($1, $2)', [channel, payload])
    } finally {
      other.end().catch(() => undefined)
    }
  }

  function hear(payload: string): void {
    const whole = parts.add(payload, Date.now())
    if (whole === undefined) return
    const received = opened(open, Buffer.from(whole, 'base64')) as { from: string; note: Note } | undefined
    if (!received) return
    if (received.from === instance) {
      unheardSince = undefined
      return onOwn()
    }
    const { from, note } = received
    othersUntil = Date.now() + presentFor
    if (note.kind === 'broadcast') hub.spread(note.broadcast)
    else if (note.kind === 'hello') answerHello(note.missed)
    else if (note.kind === 'left') elsewhere.get(note.accountId)?.delete(from)
    else {
      for (const accountId of note.accountIds) {
        const places = elsewhere.get(accountId) ?? new Map<string, number>()
        elsewhere.set(accountId, places.set(from, Date.now() + presentFor))
      }
    }
  }

  const sealed = (note: Note) =>
    seal(Buffer.from(JSON.stringify({ from: instance, note }))).toString('base64')

  /** Sends a note in at most so many parts. False if it is longer. */
  function tell(note: Note, maxCount = 1): boolean {
    const to = client
    if (!to || !isListening || waiting.length >= maxWaiting) {
      hasDropped ||= note.kind === 'broadcast'
      return true
    }
    const payloads = partsOf(sealed(note), maxPayload)
    if (payloads.length > maxCount) return false
    waiting.push(...payloads)
    send(to)
    return true
  }

  /** Sends what waits, together, once the last notification is answered. */
  function send(to: pg.Client): void {
    if (isSending || waiting.length === 0) return
    isSending = true
    const payloads = waiting.splice(0, atOnce)
    to.query('select pg_notify($1, payload) from unnest($2::text[]) payload', [channel, payloads]).then(
      () => {
        if (client !== to) return
        isSending = false
        if (hasDropped && waiting.length === 0) sayHello()
        send(to)
      },
      // A connection that has not answered in time may be dead without having said so.
      () => lose(to),
    )
  }

  function broadcast(message: Broadcast): void {
    // Sealed, passed on and opened again it would cost more than all else about a signal.
    if (isListening && Date.now() > othersUntil) return
    const maxCount = message.kind === 'event' ? maxParts : 1
    if (tell({ kind: 'broadcast', broadcast: message }, maxCount) || message.kind === 'recheck') return
    if (message.kind === 'event') return hint(message.accountIds)
    const middle = Math.ceil(message.events.length / 2)
    for (const events of [message.events.slice(0, middle), message.events.slice(middle)])
      broadcast(ofSeveral(events))
  }

  /** In place of an event that is too long: browsers then read it themselves. */
  function hint(accountIds: readonly string[]): void {
    for (let from = 0; from < accountIds.length; from += accountsAtOnce) {
      const some = accountIds.slice(from, from + accountsAtOnce)
      const event = { accountIds: some, event: 'notice', carried: { type: 'chat.changed' } } as const
      tell({ kind: 'broadcast', broadcast: { kind: 'event', ...event } })
    }
  }

  function tellPresence(accountIds = hub.accounts()): void {
    for (let from = 0; from < accountIds.length; from += accountsAtOnce) {
      tell({ kind: 'present', accountIds: accountIds.slice(from, from + accountsAtOnce) })
    }
  }

  function sayHello(): void {
    const missed = hasDropped
    hasDropped = false
    tell({ kind: 'hello', missed })
  }

  function answerHello(hasMissed: boolean): void {
    if (hasMissed) askToLook()
    tell({ kind: 'present', accountIds: [] })
    tellPresence()
  }

  const tellAll = (message: Broadcast) => {
    hub.spread(message)
    broadcast(message)
  }

  const presence = setInterval(() => {
    const now = Date.now()
    for (const [accountId, places] of elsewhere) {
      for (const [place, until] of places) if (until < now) places.delete(place)
      if (places.size === 0) elsewhere.delete(accountId)
    }
    tellPresence()
  }, presenceEvery).unref()
  const looking = setInterval(() => {
    if (!isListening) return askToLook()
    // Heard again, it shows that the connection is alive.
    if (client && unheardSince !== undefined && Date.now() - unheardSince > hearsWithin)
      return lose(client, new Deaf())
    unheardSince ??= Date.now()
    tell({ kind: 'present', accountIds: [] })
  }, lookEvery).unref()
  connect()

  return {
    ...sendingBy(tellAll),
    onNotice: hub.onNotice,
    hearsOthers: () => isListening,

    async isOnline(accountId) {
      if (hub.has(accountId)) return true
      if (!isListening) return false
      const now = Date.now()
      return [...(elsewhere.get(accountId)?.values() ?? [])].some((until) => until >= now)
    },

    join(connection: Connection) {
      if (hub.add(connection)) tellPresence([connection.accountId])
      return () => {
        if (hub.remove(connection)) tell({ kind: 'left', accountId: connection.accountId })
      }
    },

    async close() {
      isClosed = true
      hub.close()
      clearTimeout(retry)
      clearInterval(presence)
      clearInterval(looking)
      // The driver cuts off a query that is under way.
      const isUnderWay = () => isSending
      for (let waited = 0; isUnderWay() && waited < seconds(1); waited += 20) await sleep(20)
      await client?.end().catch(() => undefined)
    },
  }
}
