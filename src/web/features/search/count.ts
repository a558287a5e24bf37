const figures = new Intl.NumberFormat('en-GB')

/** 1,240. */
export const formatCount = (count: number) => figures.format(count)

/** 1 practitioner, 1,240 practitioners. */
export function countOf(practitioners: number): string {
  return `${formatCount(practitioners)} ${practitioners === 1 ? 'practitioner' : 'practitioners'}`
}
