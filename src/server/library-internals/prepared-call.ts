import pg from 'pg'

/** A result in the form of the driver's own. */
export type Answer = { command: string; rowCount: number | null; rows: unknown[] }

type Statement = { name: string; text: string; values: readonly unknown[] }

/** A column of an answer, and how its text is read. */
type Column = { name: string; read(text: string): unknown }

/** What a connection is written to by; the driver's types ask for more of each call than its code does. */
type Wire = {
  stream: { cork(): void; uncork(): void }
  /** The texts of the statements that the server has read on this connection, by name. */
  parsedStatements: Record<string, string>
  parse(statement: { name: string; text: string }): void
  bind(call: { statement: string; values: unknown[] }): void
  describe(what: { type: 'P' }): void
  execute(): void
  sync(): void
}

/** Knows how the types of its answers are read. */
type Reading = { getTypeParser(type: number, format: 'text'): Column['read'] }

/** The columns of what has been asked on a connection, by the statement's name. */
const columnsOf = new WeakMap<pg.ClientBase, Map<string, Column[]>>()

/**
 * A call of a prepared statement, to be given to a connection of the driver (`Submittable`), which calls the rest. The
 * driver's own has the server describe the columns with every call, copies what it is given several times on its way, and
 * comes with promises that keep each query and its rows until the whole heap is collected. Here a statement is read and
 * described with its first call on a connection, and later ones send its values alone.
 */
export class PreparedCall implements pg.Submittable {
  readonly name: string
  readonly text: string
  /** Called once, by the driver too. */
  readonly callback: (error: Error | undefined, answer?: Answer) => void
  readonly #client: pg.ClientBase
  readonly #values: (string | Buffer | null)[]
  #columns: Column[] | undefined
  readonly #rows: unknown[] = []
  #command = ''
  /** Why a row could not be read. */
  #unread: Error | undefined

  constructor(client: pg.ClientBase, { name, text, values }: Statement, callback: PreparedCall['callback']) {
    this.#client = client
    this.name = name
    this.text = text
    this.callback = callback
    this.#values = values.map(toParameter)
    this.#columns = columnsOf.get(client)?.get(name)
  }

  submit(connection: unknown): void {
    const wire = connection as Wire
    // All of it in one packet.
    wire.stream.cork()
    try {
      if (wire.parsedStatements[this.name] === undefined) wire.parse({ name: this.name, text: this.text })
      wire.bind({ statement: this.name, values: this.#values })
      if (!this.#columns) wire.describe({ type: 'P' })
      wire.execute()
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const reading = this.#client as unknown as Reading
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: reading.getTypeParser(dataTypeID, 'text'),
    }))
    this.#columns = columns
    const known = columnsOf.get(this.#client) ?? new Map<string, Column[]>()
    columnsOf.set(this.#client, known.set(this.name, columns))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#unread) return
    try {
      const row: Record<string, unknown> = {}
      for (const [index, { name, read }] of (this.#columns ?? []).entries()) {
        const text = fields[index] ?? null
        row[name] = text === null ? null : read(text)
      }
      this.#rows.push(row)
    } catch (error) {
      this.#unread = error instanceof Error ? error : new Error(String(error))
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#command = text
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    if (this.#unread) return this.callback(this.#unread)
    // Such as "SELECT 1", "INSERT 0 1" and "SET".
    const words = this.#command.split(' ')
    const rowCount = words.length > 1 ? Number(words.at(-1)) : null
    this.callback(undefined, { command: words[0] ?? '', rowCount, rows: this.#rows })
  }
}

/** A value as it goes to the server: bytes as they are, all else as text. */
function toParameter(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  return value instanceof Uint8Array ? toBuffer(value) : toText(value)
}

function toBuffer(value: Uint8Array): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(toElement).join(',')}}`
  const isScalar = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
  return isScalar ? String(value) : JSON.stringify(value)
}

function toElement(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (Array.isArray(value)) return toText(value)
  if (value instanceof Uint8Array) return `"\\\\x${toBuffer(value).toString('hex')}"`
  return `"${toText(value).replaceAll(/["\\]/g, '\\$&')}"`
}
