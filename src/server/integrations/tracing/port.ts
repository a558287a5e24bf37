import { errorName } from '../../errors.ts'

/**
 * The facts that a span may hold: names of this product's own, numbers, statements with placeholders. Never user input,
 * identities or addresses.
 */
export type Facts = Record<string, string | number>

type Beginning = {
  kind: 'server' | 'client' | 'consumer' | 'internal'
  facts?: Facts
  /** A `traceparent` (https://www.w3.org/TR/trace-context/): whose part this is, where nothing is under way here. */
  partOf?: string | undefined
  /** A `traceparent` that it follows from, in a trace of its own. */
  after?: string | undefined
}

export type OpenSpan = {
  /** Calls `work` so that what begins in it, and in all that follows from it, is a part of this span. */
  run<T>(work: () => T): T
  /** `failure` is the kind of an error alone: its message may repeat user input. */
  end(facts?: Facts, failure?: string): void
}

/** Traces a request and the work that it causes, for the operator of the product. */
export type Tracing = {
  /** Begins a span, as a child of the current span. */
  begin(name: string, beginning: Beginning): OpenSpan
  /** Records work that has just ended as a child span. Does nothing without a current span. */
  note(name: string, milliseconds: number, facts: Facts, failure?: string): void
  /** Returns the current span as a `traceparent`, to store with the work that follows from it. */
  traceparent(): string | undefined
  /** Returns the fields of the current span for a log line. */
  logFields(): Record<string, string>
  /** Sends the remaining spans; gives up after some seconds. */
  close(): Promise<void>
}

/** Does `work` within a span, or just so when nothing is followed. */
export function inSpan<T>(
  tracing: Tracing | undefined,
  name: string,
  beginning: Beginning,
  work: () => Promise<T>,
): Promise<T> {
  return tracing ? runWithin(tracing.begin(name, beginning), work) : work()
}

async function runWithin<T>(span: OpenSpan, work: () => Promise<T>): Promise<T> {
  try {
    const result = await span.run(work)
    span.end()
    return result
  } catch (error) {
    span.end({}, errorName(error))
    throw error
  }
}

/** A port whose calls that take time are spans, `<name>.<call>`; the port itself when nothing is followed. */
export function traced<P extends object>(tracing: Tracing | undefined, name: string, port: P): P {
  if (!tracing) return port
  const calls = Object.entries(port).map(([call, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [call, member] as const
    const followed = (...given: unknown[]): unknown => {
      const span = tracing.begin(`${name}.${call}`, { kind: 'client' })
      const result: unknown = span.run(() => Reflect.apply(member, port, given))
      if (!(result instanceof Promise)) return result
      return result.then(
        (done: unknown) => {
          span.end()
          return done
        },
        (error: unknown) => {
          span.end({}, errorName(error))
          throw error
        },
      )
    }
    return [call, followed] as const
  })
  return Object.fromEntries(calls) as P
}
