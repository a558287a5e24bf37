import { CompiledQuery } from 'kysely'

/** Statements that go to the database together. */
export type Batch = {
  queries: readonly CompiledQuery[]
  /** Whether they wait for the commit of their transaction and go with it. Their answers are lost. */
  goesWithCommit: boolean
}

const batches = new WeakMap<CompiledQuery, Batch>()

const standsForSeveral = CompiledQuery.raw('') as CompiledQuery<{ rows: unknown[] }>

/** A query that stands for several: our dialects carry them out in order, and give the rows of each as a row. */
export function toBatch(batch: Batch): CompiledQuery<{ rows: unknown[] }> {
  const query: CompiledQuery<{ rows: unknown[] }> = {
    ...standsForSeveral,
    // Long, and read by logs alone.
    get sql() {
      return batch.queries.map((each) => each.sql).join(';\n')
    },
  }
  batches.set(query, batch)
  return query
}

/** The statements that a query stands for. */
export const batchOf = (query: CompiledQuery): Batch | undefined => batches.get(query)
