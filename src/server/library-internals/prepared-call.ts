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
    this.#remember(columns)
  }

  #remember(columns: Column[]): void {
    this.#columns = columns
    const known = columnsOf.get(this.#client) ?? new Map<string, Column[]>()
    columnsOf.set(this.#client, known.set(this.name, columns))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#unread) return
    try {
      this.#rows.push(toRow(this.#columns ?? [], fields))
    } catch (error) {
      this.#unread = toError(error)
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#command = text
    // A statement without columns is described by nothing.
    if (!this.#columns) this.#remember([])
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    if (this.#unread) return this.callback(this.#unread)
    this.callback(undefined, toAnswer(this.#command, this.#rows))
  }
}

type Callback = (error: Error | undefined, answers?: Answer[]) => void

type KnownCall = { name: string; columns: readonly Column[]; values: (string | Buffer | null)[] }

/**
 * Several calls of prepared statements in one trip, which the connection has called before. They are carried out in order,
 * each with a snapshot of its own; one that fails leaves out those after it.
 */
export class PreparedCalls implements pg.Submittable {
  /** Called once, by the driver too. */
  readonly callback: Callback
  /** What is called, for those who listen. */
  readonly statements: readonly { text: string; values: readonly unknown[] }[]
  readonly #calls: readonly KnownCall[]
  readonly #answers: Answer[] = []
  #rows: unknown[] = []
  #unread: Error | undefined

  /** Returns undefined if the connection has not called all of the statements before. */
  static of(
    client: pg.ClientBase,
    statements: readonly Statement[],
    callback: Callback,
  ): PreparedCalls | undefined {
    const known = columnsOf.get(client)
    const calls: KnownCall[] = []
    for (const { name, values } of statements) {
      const columns = known?.get(name)
      if (!columns) return undefined
      calls.push({ name, columns, values: values.map(toParameter) })
    }
    return new PreparedCalls(calls, statements, callback)
  }

  /** Use `of`. */
  constructor(calls: KnownCall[], statements: PreparedCalls['statements'], callback: Callback) {
    this.#calls = calls
    this.statements = statements
    this.callback = callback
  }

  submit(connection: unknown): void {
    const wire = connection as Wire
    wire.stream.cork()
    try {
      for (const { name, values } of this.#calls) {
        wire.bind({ statement: name, values })
        wire.execute()
      }
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#unread) return
    try {
      this.#rows.push(toRow(this.#calls[this.#answers.length]?.columns ?? [], fields))
    } catch (error) {
      this.#unread = toError(error)
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#answers.push(toAnswer(text, this.#rows))
    this.#rows = []
  }

  handleRowDescription(): void {}

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    if (this.#unread) return this.callback(this.#unread)
    this.callback(undefined, this.#answers)
  }
}

function toRow(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [index, { name, read }] of columns.entries()) {
    const text = fields[index] ?? null
    row[name] = text === null ? null : read(text)
  }
  return row
}

/** `command` is such as "SELECT 1", "INSERT 0 1" and "SET". */
function toAnswer(command: string, rows: unknown[]): Answer {
  const words = command.split(' ')
  const rowCount = words.length > 1 ? Number(words.at(-1)) : null
  return { command: words[0] ?? '', rowCount, rows }
}

const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

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
  const text = toText(value)
  // Most need no escape, such as ids, and looking is cheaper than replacing nothing.
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`
}
