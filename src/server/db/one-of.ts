import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a column has one of some values, such as the states of a group, in raw SQL. `column` is written as it stands;
 * the values are too, so that the statement is planned for them. They may not come from a request.
 */
export const oneOf = (column: string, values: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`
