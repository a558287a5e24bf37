/** The three numbers of a date, as typed. */
export type DateParts = { day: string; month: string; year: string }

/** `YYYY-MM-DD` if the numbers are a date, empty if there are none, else the numbers as typed: `1985-3-`. */
export function textOfDate({ day, month, year }: DateParts): string {
  if (`${day}${month}${year}` === '') return ''
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(text) ? text : `${year}-${month}-${day}`
}

/** The numbers of such a text. */
export function partsOfDate(text: string): DateParts {
  const [year = '', month = '', day = ''] = text.split('-')
  if (!isDate(text)) return { day, month, year }
  return { day: day.replace(/^0/, ''), month: month.replace(/^0/, ''), year }
}

/** Whether a text is a date that exists, as `YYYY-MM-DD`: the 30th of February does not. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
