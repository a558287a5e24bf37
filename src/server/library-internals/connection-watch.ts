import type { Socket } from 'node:net'
import pg from 'pg'
import { DatabaseUnreachable } from '../db/unreachable.ts'

/**
 * Time is counted in ticks of this many milliseconds, each a turn of the event loop of its own: a process that was held
 * up or stopped has not waited, and reads the answers that have come meanwhile before it calls anything silent.
 */
const tick = 250
/** A connection without data for this many ticks during a statement is suspect. */
const suspectAfter = 8
/** The database counts as silent if a probe has no answer within this many ticks. */
const probePatience = 6
const betweenProbes = 4
const betweenProbesWhileSilent = 2

type Connection = { stream: Socket }
type Busy = { quiet: number; total: number; bytesRead: number }
type Probe = { client: pg.Client; age: number; hasHeardOthers: boolean }
type Seen = { pid: number; isIdle: boolean; probe: number }

const streamOf = (client: pg.Client) => (client as unknown as { connection: Connection }).connection.stream
const processOf = (client: pg.Client) => (client as unknown as { processID: number | null }).processID

export type ConnectionWatch = {
  /** The class of the pool's connections. */
  Client: new (
    config?: pg.ClientConfig,
  ) => pg.Client
  /** Follows which connections are lent. */
  follow(pool: pg.Pool): void
  stop(): void
}

/**
 * Watches a pool's connections, since a network that drops every packet raises no error. If a connection is silent for
 * 2 seconds during a statement, a probe asks the server on a new connection:
 * - No answer, and nothing received on any connection: the database is silent. Every connection is destroyed, and new
 *   ones are refused at once until a probe is answered.
 * - The server has finished the statement, or does not know it: the connection is dead. It and all idle ones are
 *   destroyed.
 * - The server still runs the statement: it may continue until `longest`, if that is set.
 * So a statement fails within 4 seconds of the silence, and the pool is used again within 1 second of its end.
 */
export function watchConnections(
  config: pg.ClientConfig,
  longest: number | undefined,
  onSilence: (error: Error) => void,
): ConnectionWatch {
  const all = new Set<pg.Client>()
  const lent = new Set<pg.Client>()
  const busy = new Map<pg.Client, Busy>()
  const probes = new Set<Probe>()
  let isSilent = false
  let sinceProbe = Number.POSITIVE_INFINITY

  const begin = (client: pg.Client) =>
    busy.set(client, { quiet: 0, total: 0, bytesRead: streamOf(client).bytesRead })
  const giveUp = (client: pg.Client) => {
    busy.delete(client)
    streamOf(client).destroy(new DatabaseUnreachable())
  }

  class WatchedClient extends pg.Client {
    constructor(given?: pg.ClientConfig) {
      super(given)
      const connect = this.connect.bind(this) as (callback: (error: Error | null) => void) => void
      const query = this.query.bind(this) as (...given: unknown[]) => unknown
      this.connect = ((callback: (error: Error | null) => void) => {
        if (isSilent) return process.nextTick(callback, new DatabaseUnreachable())
        all.add(this)
        begin(this)
        return connect((error) => {
          busy.delete(this)
          callback(error)
        })
      }) as typeof this.connect
      this.query = ((...asked: unknown[]) => {
        begin(this)
        return query(...asked)
      }) as typeof this.query
      this.on('drain', () => busy.delete(this))
      this.on('end', () => {
        all.delete(this)
        lent.delete(this)
        busy.delete(this)
      })
    }
  }

  const endProbes = () => {
    for (const { client } of probes) streamOf(client).destroy()
    probes.clear()
  }
  const isSuspicious = () => [...busy.values()].some(({ quiet }) => quiet >= suspectAfter)

  const startProbe = () => {
    sinceProbe = 0
    const client = new pg.Client(config)
    const probe: Probe = { client, age: 0, hasHeardOthers: false }
    probes.add(probe)
    const suspects = [...busy].filter(([, { quiet }]) => quiet >= suspectAfter)
    // The end of the connection is what rejects the question.
    client.on('error', () => undefined)
    ask(client, suspects)
      .then(
        (seen) => judge(suspects, seen, processOf(client)),
        () => undefined,
      )
      .finally(() => {
        // A refused connection is an answer too: the server rejects the callers itself, at once.
        if (probes.has(probe)) {
          isSilent = false
          endProbes()
        }
        streamOf(client).destroy()
      })
  }

  const judge = (suspects: [pg.Client, Busy][], seen: Seen[], own: number | null) => {
    // A proxy that shares connections out has numbers of its own.
    const [first] = seen
    if (first === undefined || first.probe !== own) return
    const dead = suspects.filter(([client, state]) => {
      const process = processOf(client)
      // One that is not connected yet has a limit of its own.
      if (process === null || busy.get(client) !== state || state.quiet < suspectAfter) return false
      return seen.find(({ pid }) => pid === process)?.isIdle ?? true
    })
    if (dead.length === 0) return
    for (const [client] of dead) giveUp(client)
    for (const client of all) if (!lent.has(client) && !busy.has(client)) giveUp(client)
  }

  const timer = setInterval(() => {
    let hasHeard = false
    for (const [client, state] of busy) {
      const { bytesRead } = streamOf(client)
      if (bytesRead !== state.bytesRead) hasHeard = true
      state.quiet = bytesRead === state.bytesRead ? state.quiet + 1 : 0
      state.bytesRead = bytesRead
      state.total += 1
      if (longest !== undefined && state.total * tick > longest) giveUp(client)
    }
    for (const probe of probes) {
      probe.age += 1
      probe.hasHeardOthers ||= hasHeard
      if (probe.age < probePatience) continue
      probes.delete(probe)
      streamOf(probe.client).destroy(new DatabaseUnreachable())
      if (isSilent || probe.hasHeardOthers || !isSuspicious()) continue
      isSilent = true
      onSilence(new DatabaseUnreachable())
      for (const client of all) giveUp(client)
    }
    sinceProbe += 1
    const isDue = isSilent
      ? sinceProbe >= betweenProbesWhileSilent
      : sinceProbe >= betweenProbes && probes.size === 0 && isSuspicious()
    if (isDue) startProbe()
  }, tick)
  timer.unref()

  return {
    Client: WatchedClient,
    follow(pool) {
      pool.on('acquire', (client) => lent.add(client as unknown as pg.Client))
      pool.on('release', (_error, client) => lent.delete(client as unknown as pg.Client))
    },
    stop() {
      clearInterval(timer)
      endProbes()
    },
  }
}

/** What the server knows of the suspects' statements; the first row is about the probe itself. */
async function ask(probe: pg.Client, suspects: [pg.Client, Busy][]): Promise<Seen[]> {
  await probe.connect()
  const { rows } = await probe.query<Seen>(
    `select pg_backend_pid() as pid, false as "isIdle", pg_backend_pid() as probe
     union all
     select pid, state like 'idle%' and state_change < clock_timestamp() - interval '1 second', pg_backend_pid()
     from pg_stat_activity where pid = any($1::int[]) and state is not null`,
    [suspects.map(([client]) => processOf(client) ?? 0)],
  )
  return rows
}
