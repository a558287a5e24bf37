/** The value that a share of all values does not exceed: 0.5 is the median. Zero without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

export type Compared = {
  /** Medians over the rounds. */
  measured: number
  baseline: number
  ratio: number
  /** The lowest and the highest ratio of a round. */
  spread: [number, number]
}

/**
 * Measures two things in turns, A B A B …, so that other load on the machine affects both, and compares them round by
 * round. A round returns a rate or a time, the same kind for both.
 */
export async function inTurns(
  rounds: number,
  measured: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<Compared> {
  const pairs: [number, number][] = []
  for (let round = 0; round < rounds; round++) pairs.push([await measured(), await baseline()])
  const ratios = pairs.map(([a, b]) => a / b)
  return {
    measured: median(pairs.map(([a]) => a)),
    baseline: median(pairs.map(([, b]) => b)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  }
}
