/** Thrown to callers that wait on an abandoned connection, or need one while the database is silent. */
export class DatabaseUnreachable extends Error {
  /** PostgreSQL's code for a connection that failed. */
  readonly code = '08006'

  constructor() {
    super('The database does not answer.')
    this.name = 'DatabaseUnreachable'
  }
}
