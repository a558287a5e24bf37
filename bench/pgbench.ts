import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** `simple` sends each statement as text, planned anew each time; `prepared` has it planned once per connection. */
export type Protocol = 'simple' | 'prepared'

export type PgBench = {
  /** Transactions in a second over so many seconds: each is one of the scripts, drawn at random. */
  rate(seconds: number): Promise<number>
  /**
   * How long each took that was begun at a moment drawn at random, so many a second, but for the first of each
   * connection, which has it planned. In milliseconds.
   */
  paced(seconds: number, perSecond: number): Promise<number[]>
  close(): void
}

/** PostgreSQL's own benchmark, running scripts of finished statements; at most 128. */
export function pgbench(
  options: { program: string; url: string; connections: number; protocol: Protocol },
  scripts: readonly string[],
): PgBench {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-sql-'))
  const files = scripts.map((script, index) => {
    const file = join(folder, `${index}.sql`)
    writeFileSync(file, script)
    return file
  })
  return {
    async rate(seconds) {
      const { stdout } = await run(
        options.program,
        [
          '--no-vacuum',
          `--client=${options.connections}`,
          '--jobs=2',
          `--time=${seconds}`,
          `--protocol=${options.protocol}`,
          ...files.flatMap((file) => ['--file', file]),
          options.url,
        ],
        { maxBuffer: 64 * 1024 * 1024 },
      )
      const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? '0'
      const rate = /tps = ([\d.]+) \(without initial connection time\)/.exec(stdout)?.[1]
      if (rate === undefined || failed !== '0') throw new Error(`pgbench said: ${stdout.slice(0, 1000)}`)
      return Number(rate)
    },
    async paced(seconds, perSecond) {
      const log = mkdtempSync(join(folder, 'log-'))
      await run(
        options.program,
        [
          '--no-vacuum',
          `--client=${options.connections}`,
          `--time=${seconds}`,
          `--rate=${perSecond}`,
          `--protocol=${options.protocol}`,
          '--log',
          `--log-prefix=${join(log, 'took')}`,
          ...files.flatMap((file) => ['--file', file]),
          options.url,
        ],
        { maxBuffer: 64 * 1024 * 1024 },
      )
      const begun = new Set<number>()
      return readdirSync(log)
        .flatMap((name) => readFileSync(join(log, name), 'utf8').trim().split('\n'))
        .flatMap((line) => {
          const [connection = 0, , took = 0, , , , late = 0] = line.split(' ').map(Number)
          if (begun.has(connection)) return [(took - late) / 1000]
          begun.add(connection)
          return []
        })
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
