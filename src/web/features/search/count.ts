const figures = new Intl.NumberFormat('en-GB')

/** 1 practitioner, 1,240 practitioners. */
export function countOf(practitioners: number): string {
  return `${figures.format(practitioners)} ${practitioners === 1 ? 'practitioner' : 'practitioners'}`
}
