/** Optimal string alignment distance by the textbook's whole table. */
export function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : 99
      const wrong = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      rows[i]![j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, wrong, swapped)
    }
  }
  return at(a.length, b.length)
}
