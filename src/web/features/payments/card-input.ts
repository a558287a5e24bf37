/*
 * The texts of a card form. Lengths are the specification's: 19 characters for the number, 7 for the expiry, 3 for the
 * code.
 */

export const cardLengths = { number: 19, expiry: 7, code: 3 } as const

/** Digits alone, in fours: `4242 4242 4242 4242`. */
export function formatCardNumber(text: string): string {
  return digitsOf(text)
    .slice(0, 16)
    .replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}

/**
 * `MM / YY`. A first digit above 1 can only be a month of its own, so it gets its zero; of a year with four digits, as
 * browsers fill it in, the last two count.
 */
export function formatExpiry(text: string): string {
  let digits = digitsOf(text)
  if (/^[2-9]/.test(digits)) digits = `0${digits}`
  const year = digits.slice(2)
  const shown = year.length >= 4 ? year.slice(2, 4) : year.slice(0, 2)
  return shown ? `${digits.slice(0, 2)} / ${shown}` : digits.slice(0, 2)
}

export function formatCode(text: string): string {
  return digitsOf(text).slice(0, cardLengths.code)
}

/** Where the caret belongs after a text was formatted: behind as many digits as stood before it. */
export function caretAfterDigits(formatted: string, digits: number): number {
  let seen = 0
  for (let at = 0; at < formatted.length; at++) {
    if (seen === digits) return at
    if (/\d/.test(formatted[at] ?? '')) seen++
  }
  return formatted.length
}

export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '')
}

/** Month 1 to 12 and four-digit year; nothing for what is not a date yet. */
export function expiryOf(text: string): { month: number; year: number } | undefined {
  const digits = digitsOf(text)
  const month = Number(digits.slice(0, 2))
  if (digits.length !== 4 || month < 1 || month > 12) return undefined
  return { month, year: 2000 + Number(digits.slice(2)) }
}

/** What is wrong with a card number, in words; nothing when it could be one. */
export function cardNumberProblem(text: string): string | undefined {
  const digits = digitsOf(text)
  if (digits === '') return 'Enter the number on the front of the card.'
  if (digits.length < 14) return 'This number is too short. Please check it.'
  return passesLuhn(digits) ? undefined : 'One of the digits is wrong. Please check the number.'
}

/** What is wrong with an expiry, in words. A card is good to the end of its month. */
export function expiryProblem(text: string, now: number): string | undefined {
  if (digitsOf(text) === '') return 'Enter the expiry date, month and year.'
  const expiry = expiryOf(text)
  if (!expiry) return 'Enter the date as on the card, such as 04 / 29.'
  return Date.UTC(expiry.year, expiry.month, 1) <= now ? 'This card has expired.' : undefined
}

export function codeProblem(text: string): string | undefined {
  return digitsOf(text).length === cardLengths.code
    ? undefined
    : 'Enter the 3 digits on the back of the card.'
}

/** The check digit of ISO/IEC 7812. */
function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = at % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
