import type { Logger } from 'kysely'
import type { Tracing } from '../integrations/tracing/port.ts'
import { sqlState } from './transaction.ts'

/** How many characters of a statement are traced: a long list of values makes a long statement. */
const maxSqlLength = 2000

/** Traces each statement of a request or job, with placeholders instead of values. */
export function traceStatements(tracing: Tracing): Logger {
  return (event) => {
    const { sql } = event.query
    const { operation, summary } = summarise(sql)
    const facts = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': summary,
      'db.query.text': sql.length > maxSqlLength ? `${sql.slice(0, maxSqlLength)}…` : sql,
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
