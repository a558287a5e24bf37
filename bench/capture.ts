import pg from 'pg'
import type { Database } from '#server/db/connection.ts'
import { PreparedCalls } from '#server/library-internals/prepared-call.ts'

export type Capture = {
  /** The statements that a piece of work sends, with their values written in, as one script. */
  during(work: () => Promise<unknown>): Promise<string[]>
}

type Sent = { text: string; values: readonly unknown[] }

/** Captures the statements sent over a database's pool from now on. The pool must have no other user meanwhile. */
export function captureStatements(database: Database): Capture {
  if (database.engine.kind !== 'server') throw new Error('Only a server can be listened to.')
  let sent: Sent[] = []
  database.engine.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const listening = (...given: unknown[]) => {
      const [first, values] = given
      if (first instanceof PreparedCalls) {
        sent.push(...first.statements)
        return query(...given)
      }
      const text = typeof first === 'string' ? first : (first as { text: string }).text
      const listed = Array.isArray(values) ? values : ((first as { values?: unknown[] }).values ?? [])
      sent.push({ text, values: listed })
      return query(...given)
    }
    client.query = listening as typeof client.query
  })
  return {
    async during(work) {
      sent = []
      await work()
      return sent.map(withValues)
    },
  }
}

/** A statement with its values in place of `$1`, `$2`, … */
function withValues({ text, values }: Sent): string {
  const filled = text.replace(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1]))
  return `${filled.trim()};\n`
}

/** A value as the driver would send it: text whose type the statement decides. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value))
    return pg.escapeLiteral(`{${value.map((each) => JSON.stringify(each)).join(',')}}`)
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  return pg.escapeLiteral(typeof value === 'string' ? value : JSON.stringify(value))
}
