import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { claimPort } from './claimed-port.ts'

const run = promisify(execFile)

export type Cluster = {
  /** Of the maintenance database; others have the same address but for the name. */
  url: string
  /** The folder of PostgreSQL's programs. */
  programs: string
  /** Ends the server at once, as a crash would. Its data stay. */
  halt(): Promise<void>
  /** Ends its first process as `kill -9` does, which the others notice by themselves. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Why there is no cluster, in a sentence that says what to install. */
export class NoPostgres extends Error {}

/** A cluster that follows another one by streaming replication, and can be read. */
export type Replica = Cluster & {
  /** Makes it a primary of its own. */
  promote(): Promise<void>
}

type ClusterOptions = {
  /** Whether a commit waits for the disk, as by PostgreSQL's default. */
  durable?: boolean
  /** Further settings, such as `synchronous_standby_names=*`. */
  settings?: readonly string[]
}

/**
 * Starts a PostgreSQL of its own on a free port, run by an unprivileged user, on data that are deleted when it stops.
 * @throws NoPostgres
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const place = await newPlace()
  // Nothing else may read the folder, so initdb makes it itself.
  await run(
    join(place.programs, 'initdb'),
    ['-D', place.data, '-U', 'hearth', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'],
    place.as,
  )
  return serve(place, options)
}

/** Starts a replica of a cluster, on a copy of its data. Its name in `synchronous_standby_names` is `replica`. */
export async function startReplica(of: Cluster, options: ClusterOptions = {}): Promise<Replica> {
  const place = await newPlace()
  const { hostname, port, username } = new URL(of.url)
  const source = `host=${hostname} port=${port} user=${username} application_name=replica`
  await run(
    join(place.programs, 'pg_basebackup'),
    ['-d', source, '-D', place.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
    place.as,
  )
  const cluster = await serve(place, options)
  return {
    ...cluster,
    async promote() {
      await run(join(place.programs, 'pg_ctl'), ['promote', '-D', place.data], place.as)
    },
  }
}

type Place = Awaited<ReturnType<typeof newPlace>>

async function newPlace() {
  const programs = await findBinaries()
  const owner = unprivileged()
  const directory = mkdtempSync(join(tmpdir(), 'hearth-postgres-'))
  if (owner.uid !== undefined) chownSync(directory, owner.uid, owner.gid ?? owner.uid)
  return { programs, directory, data: join(directory, 'data'), as: { ...owner, cwd: directory } }
}

async function serve(
  { programs, directory, data, as }: Place,
  { durable = false, settings: more = [] }: ClusterOptions,
): Promise<Cluster> {
  const port = await freePort()
  const hasty = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']
  const settings = ['max_connections=250', ...(durable ? [] : hasty), ...more]
  let server: ChildProcess
  const start = async () => {
    const started = spawn(
      join(programs, 'postgres'),
      [
        '-D',
        data,
        '-p',
        String(port),
        '-h',
        '127.0.0.1',
        '-k',
        directory,
        ...settings.flatMap((each) => ['-c', each]),
      ],
      { ...as, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    server = started
    let words = ''
    started.stderr.on('data', (chunk: Buffer) => {
      words = (words + chunk.toString()).slice(-2000)
    })
    for (let tries = 0; ; tries++) {
      if (started.exitCode !== null || tries > 150) {
        await stop()
        throw new NoPostgres(`PostgreSQL did not start: ${words}`)
      }
      const ready = await run(join(programs, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).catch(
        () => undefined,
      )
      if (ready) return
      await sleep(100)
    }
  }
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const gone = new Promise((resolve) => server.once('exit', resolve))
    server.kill(signal)
    await gone
  }
  const halt = () => end('SIGQUIT')
  const kill = () => end('SIGKILL')
  const stop = async () => {
    await halt()
    removeMeanwhile(directory)
  }
  await start()
  return { url: `postgres://hearth@127.0.0.1:${port}/postgres`, programs, halt, kill, start, stop }
}

/**
 * Removes a folder by a process that outlives this one. The cluster of a whole run has some hundred thousand files; removing
 * them takes from twenty seconds to more than a minute, by the disk.
 */
function removeMeanwhile(folder: string): void {
  const removal = `require('node:fs').rmSync(process.argv[1], { recursive: true, force: true })`
  spawn(process.execPath, ['-e', removal, folder], { detached: true, stdio: 'ignore' }).unref()
}

async function findBinaries(): Promise<string> {
  const found = look()
  if (found) return found
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await run('apt-get', ['update']).catch(() => undefined)
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql'], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).catch(() => undefined)
  }
  const installed = look()
  if (installed) return installed
  throw new NoPostgres(
    'PostgreSQL was not found. Install PostgreSQL 15 or newer (on Debian: apt-get install postgresql), or set PG_BIN to the folder that holds initdb and postgres.',
  )
}

function look(): string | undefined {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const candidates = [
    process.env.PG_BIN,
    ...versions.sort((a, b) => Number(b) - Number(a)).map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...(process.env.PATH ?? '').split(delimiter),
    '/opt/homebrew/bin',
    '/usr/local/pgsql/bin',
  ]
  return candidates.find(
    (folder) => folder && existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  )
}

/** The user to run PostgreSQL as: it refuses root, whose place `postgres` or the system user "nobody" takes. */
export function unprivileged(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    try {
      const uid = Number(execFileSync('id', ['-u', name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      const gid = Number(execFileSync('id', ['-g', name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid, gid }
    } catch {}
  }
  throw new NoPostgres(
    'PostgreSQL does not run as root, and there is no user postgres or nobody to run it as.',
  )
}

/** A port for a server that a test starts. It stays claimed until this process ends, so that no other test is given it. */
export async function freePort(): Promise<number> {
  return (await claimPort()).port
}
