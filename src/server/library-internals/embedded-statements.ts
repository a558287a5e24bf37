import { type PGlite, parse, protocol, type Results } from '@electric-sql/pglite'

const { serialize } = protocol
const { parseDescribeStatementResults, parseResults } = parse

/** So many statements stay parsed and planned. The one that was not used for the longest time is let go first. */
const limit = 400
/**
 * After so many uses a statement is parsed anew: a plan may be kept from its sixth use on, and no statistics are collected
 * here that would tell the database how far its tables have grown since.
 */
const maxUses = 100

/** A plan whose table has got other columns since. */
const isOutdated = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '0A000' && /cached plan/.test(error.message)

const changesSchema = /\b(create|alter|drop)\b/i

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>

type Kept = {
  name: string
  /** Types of its parameters, by their oid. */
  types: number[]
  /** What says which columns its rows have. */
  columns: Messages
  uses: number
}

export type EmbeddedStatements = {
  /** Carries out a statement with parameters. Within a transaction of PGlite's, `isWithin` is true. */
  query(text: string, parameters: readonly unknown[], isWithin: boolean): Promise<Results>
  /** Called with every text that is carried out without parameters, before that. */
  notice(text: string): Promise<void>
}

/**
 * Statements of the embedded database, each parsed once. PGlite's own `query` has the database parse, analyse and plan the
 * text with every call, in six steps, which takes several times as long as carrying it out. From its sixth use on, a plan
 * may be one for any values: what `on conflict` needs to know of a partial index is written in the text.
 */
export function embeddedStatements(pglite: PGlite): EmbeddedStatements {
  /** The least recently used first. */
  const kept = new Map<string, Kept>()
  let names = 0

  const send = (...parts: Uint8Array[]): Promise<Messages> =>
    pglite.execProtocolStream(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts), {
      syncToFs: false,
    })
  const close = (text: string): Uint8Array[] => {
    const { name } = kept.get(text) ?? {}
    kept.delete(text)
    return name === undefined ? [] : [serialize.close({ type: 'S', name })]
  }
  /** The statement of a text, parsed if it was not. A failure ends with the database ready for the next one. */
  const find = async (text: string): Promise<Kept> => {
    const known = kept.get(text)
    if (known && known.uses < maxUses) {
      kept.delete(text)
      kept.set(text, known)
      return known
    }
    const [oldest] = kept.size >= limit ? kept.keys() : []
    const closed = [...close(text), ...(oldest === undefined ? [] : close(oldest))]
    const name = `hearth_${names++}`
    const answers = await send(
      ...closed,
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
    )
    const found: Kept = {
      name,
      types: parseDescribeStatementResults(answers),
      columns: answers.filter((message) => message.name === 'rowDescription'),
      uses: 0,
    }
    kept.set(text, found)
    return found
  }
  const encode = (value: unknown, type: number | undefined) => {
    if (value === null || value === undefined) return null
    const serializer = type === undefined ? undefined : pglite.serializers[type]
    // oxlint-disable-next-line typescript/no-base-to-string -- as PGlite does
    return serializer ? serializer(value) : String(value)
  }

  const carryOut = async (text: string, parameters: readonly unknown[]): Promise<Results> => {
    let isSynchronised = false
    try {
      const statement = await find(text)
      statement.uses++
      const values = parameters.map((value, index) => encode(value, statement.types[index]))
      const message = [
        serialize.bind({ statement: statement.name, values }),
        serialize.execute({}),
        serialize.sync(),
      ]
      isSynchronised = true
      const answers = await send(...message)
      const [result] = parseResults([...statement.columns, ...answers], pglite.parsers)
      if (!result) throw new Error('The embedded database has not answered.')
      return result
    } catch (error) {
      // What came after the failure in the same message was left out up to here.
      if (!isSynchronised) await send(serialize.sync())
      throw error
    }
  }
  const forget = () =>
    pglite.runExclusive(async () => {
      const all = [...kept.keys()].flatMap(close)
      if (all.length > 0) await send(...all, serialize.sync())
    })

  return {
    async query(text, parameters, isWithin) {
      const once = () => pglite.runExclusive(() => carryOut(text, parameters))
      if (isWithin) return once()
      await pglite._checkReady()
      return pglite._runExclusiveTransaction(async () => {
        try {
          return await once()
        } catch (error) {
          if (!isOutdated(error)) throw error
          await forget()
          return await once()
        } finally {
          await pglite.syncToFs()
        }
      })
    },
    async notice(text) {
      // Within a transaction, a plan that is outdated would fail all of it.
      if (changesSchema.test(text)) await forget()
    },
  }
}
