import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort, unprivileged } from './private-cluster.ts'

const run = promisify(execFile)

export type Pooler = {
  /** The pooler's address for a role, in place of the server's. */
  urlOf(role: string): string
  /** Has it lead to another server from here on. */
  leadTo(serverUrl: string): void
  stop(): Promise<void>
}

/**
 * Starts PgBouncer in front of one database, with `settings` as in its section `[pgbouncer]`.
 * @throws Error that says what to install
 */
export async function startPooler(options: {
  serverUrl: string
  roles: readonly string[]
  settings: string
}): Promise<Pooler> {
  const program = await findProgram()
  const owner = unprivileged()
  const directory = mkdtempSync(join(tmpdir(), 'hearth-pooler-'))
  chmodSync(directory, 0o755)
  const [config, users] = [join(directory, 'pgbouncer.ini'), join(directory, 'users.txt')]
  const port = await freePort()
  const write = (serverUrl: string) => {
    const { hostname, port: serverPort, pathname } = new URL(serverUrl)
    const name = pathname.slice(1)
    writeFileSync(
      config,
      `[databases]\n${name} = host=${hostname} port=${serverPort} dbname=${name}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n` +
        `listen_port = ${port}\nunix_socket_dir =\nauth_type = trust\nauth_file = ${users}\n${options.settings}\n`,
    )
  }
  write(options.serverUrl)
  writeFileSync(users, options.roles.map((role) => `"${role}" ""\n`).join(''))
  const child: ChildProcess = spawn(program, ['-q', config], {
    ...owner,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-2000)
  })
  for (let tries = 0; !(await listens(port)); tries++) {
    if (child.exitCode !== null || tries > 100) throw new Error(`PgBouncer did not start: ${words}`)
    await sleep(50)
  }
  return {
    urlOf(role) {
      const url = new URL(options.serverUrl)
      url.username = role
      url.port = String(port)
      return url.href
    },
    leadTo(serverUrl) {
      write(serverUrl)
      child.kill('SIGHUP')
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        await gone
      }
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

async function findProgram(): Promise<string> {
  const look = () => ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))
  const found = look()
  if (found) return found
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'pgbouncer'], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).catch(() => undefined)
  }
  const installed = look()
  if (installed) return installed
  throw new Error('PgBouncer was not found. Install it (on Debian: apt-get install pgbouncer).')
}
