import { type Expression, sql } from 'kysely'

/** The values of a subquery's one column, as an array. Beside Kysely's `jsonArrayFrom`, which gives objects. */
export const arrayFrom = <O>(query: Expression<O>) => sql<O[keyof O][]>`array${query}`
