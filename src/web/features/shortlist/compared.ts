import { comparedAtMost } from '#contract/shortlist-limits.ts'

/**
 * What a history entry of the comparison, and of the shortlist that led to it, holds: no address names the people
 * compared.
 */
export type ComparisonState = { compared: number[] }

/** The ids of a history entry; empty where it holds none. */
export function comparedOf(state: unknown): number[] {
  const ids = (state as Partial<ComparisonState> | null)?.compared
  if (!Array.isArray(ids)) return []
  return ids.filter((id) => Number.isInteger(id) && id > 0).slice(0, comparedAtMost)
}
