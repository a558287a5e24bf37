/** Thrown to callers that wait on an abandoned connection, or need one while the database is silent. */
export class DatabaseUnreachable extends Error {
  /** PostgreSQL's code for a connection that failed. */
  readonly code = '08006'

  constructor() {
    super('The database does not answer.')
    this.name = 'DatabaseUnreachable'
  }
}

/** PostgreSQL's codes for a server that is starting, stopping or full. */
const notServing = new Set(['57P01', '57P02', '57P03', '53300'])

/** What the driver says of a connection that has gone, or that could not be made in time: it has no code of its own. */
const disconnected =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after)/

/** Whether an error is that of a database server, or of a pooler in front of it, that cannot be asked at the moment. */
export function isServerAway(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const { code, syscall } = thrown as NodeJS.ErrnoException
  // Class 08 is for connections; poolers use it for a server that is away.
  if (code && (notServing.has(code) || /^08...$/.test(code))) return true
  if (/^(connect|read|write|getaddrinfo)$/.test(syscall ?? '')) {
    return /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/.test(
      code ?? '',
    )
  }
  return disconnected.test(thrown.message)
}
