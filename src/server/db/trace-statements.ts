import type { Logger } from 'kysely'
import type { Tracing } from '../integrations/tracing/port.ts'
import { sqlState } from './transaction.ts'

/** Characters of a statement that are told; a list of values makes it as long as the list. */
const longest = 2000

/** Notes each statement that a request or a job has run, with the placeholders that it has instead of values. */
export function traceStatements(tracing: Tracing): Logger {
  return (event) => {
    const { sql } = event.query
    const { operation, summary } = summarise(sql)
    const facts = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': summary,
      'db.query.text': sql.length > longest ? `${sql.slice(0, longest)}…` : sql,
    }
    const failure = event.level === 'error' ? (sqlState(event.error) ?? 'unknown') : undefined
    tracing.note(summary, event.queryDurationMillis, facts, failure)
  }
}

/** What a statement does, and to which table first: `SELECT accounts`. */
export function summarise(sql: string): { operation: string; summary: string } {
  const operation = (/^[\s(]*(\w+)/.exec(sql)?.[1] ?? 'SQL').toUpperCase()
  const table = /\b(?:from|into|update|join)\s+(?:only\s+)?((?:"?\w+"?\.)?"?\w+"?)/i.exec(sql)?.[1]
  return { operation, summary: table ? `${operation} ${table.replaceAll('"', '')}` : operation }
}
