import type { LiveEvent } from '#contract/chat/live.ts'
import type { Connection, Live, Sending } from './port.ts'

/** One broadcast between instances. */
export type Broadcast =
  | ({ kind: 'event' } & Sending)
  | { kind: 'events'; events: readonly Sending[] }
  | {
      kind: 'recheck'
      accountIds: readonly string[]
      /** Events of this instance did not reach the others: their sockets are asked to read anew. */
      missed?: true
    }

/** What joins several instances is given. */
export type JoinOptions = {
  url: string
  /** What goes between instances is sealed: what carries it neither reads nor writes what people say. */
  seal(bytes: Buffer): Buffer
  /** @throws Error for what no instance of ours has sealed */
  open(bytes: Buffer): Buffer
  /** Logs that instances no longer hear of each other, or do again; without the address. */
  say(sentence: string): void
  /** How often clients are asked to reload while the connection is away, in milliseconds; also once when it is back. */
  lookEvery?: number
}

/** What an instance has sent; undefined where it is not ours, or of an instance with another key. */
export function opened(open: JoinOptions['open'], sealed: Buffer): unknown {
  try {
    return JSON.parse(open(sealed).toString('utf8'))
  } catch {
    return undefined
  }
}

/** How events are sent, by what spreads a broadcast on every instance. */
export function sendingBy(
  tellAll: (broadcast: Broadcast) => void,
): Pick<Live, 'send' | 'sendAll' | 'tell' | 'recheck'> {
  return {
    send: (accountIds, event, carried, options = {}) =>
      tellAll({ kind: 'event', accountIds, event, carried, except: options.except }),
    sendAll(events) {
      if (events.length > 0) tellAll(ofSeveral(events))
    },
    tell: (accountIds, liveEvent) =>
      tellAll({ kind: 'event', accountIds, event: 'notice', carried: liveEvent }),
    recheck: (accountId) => tellAll({ kind: 'recheck', accountIds: [accountId] }),
  }
}

export function ofSeveral(events: readonly Sending[]): Broadcast {
  const [only] = events
  // A single event may go in parts, or as a hint.
  return only && events.length === 1 ? { kind: 'event', ...only } : { kind: 'events', events }
}

/** The open sockets of this instance, by account. */
export function createHub() {
  const byAccount = new Map<string, Set<Connection>>()
  /** Those that are about to look. */
  const looking = new WeakSet<Connection>()
  const listeners: ((event: LiveEvent) => void)[] = []
  let isClosed = false

  return {
    onNotice: (hear: (event: LiveEvent) => void): void => void listeners.push(hear),

    /** True when it is the account's first. */
    add(connection: Connection): boolean {
      const present = byAccount.get(connection.accountId)
      if (present) present.add(connection)
      else byAccount.set(connection.accountId, new Set([connection]))
      return !present
    },

    /** True when it was the account's last. */
    remove(connection: Connection): boolean {
      const present = byAccount.get(connection.accountId)
      if (!present?.delete(connection) || present.size > 0) return false
      return byAccount.delete(connection.accountId)
    },

    has: (accountId: string) => byAccount.has(accountId),
    accounts: () => [...byAccount.keys()],

    /** Asks every open socket to read anew, not all at once but within so many milliseconds, unless the hub closed. */
    askToLook(within: number): void {
      for (const connection of [...byAccount.values()].flatMap((connections) => [...connections])) {
        // One that is about to look will read what has come until then.
        if (looking.has(connection)) continue
        looking.add(connection)
        setTimeout(() => {
          looking.delete(connection)
          if (isClosed) return
          connection.deliver('look', undefined)
          // Pages of the release before know this alone.
          connection.deliver('notice', { type: 'chat.changed' })
        }, Math.random() * within).unref()
      }
    },

    close(): void {
      isClosed = true
    },

    spread(broadcast: Broadcast): void {
      if (broadcast.kind === 'events') for (const each of broadcast.events) deliver(each)
      else if (broadcast.kind === 'event') deliver(broadcast)
      else forEach(broadcast.accountIds, (connection) => connection.recheck())
    },
  }

  function deliver({ accountIds, event, carried, except }: Sending): void {
    if (event === 'notice') for (const hear of listeners) hear(carried as LiveEvent)
    forEach(accountIds, (connection) => {
      if (connection.id !== except) connection.deliver(event, carried)
    })
  }

  function forEach(accountIds: readonly string[], call: (connection: Connection) => void): void {
    for (const accountId of new Set(accountIds)) {
      for (const connection of byAccount.get(accountId) ?? []) call(connection)
    }
  }
}
