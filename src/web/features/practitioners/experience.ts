/** Years in practice, in words. */
export function experienceLabel(years: number): string {
  if (years < 1) return 'In the first year of practice'
  return `${years} ${years === 1 ? 'year' : 'years'} in practice`
}
