import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDate, partsOfDate, textOfDate } from './typed-date.ts'

const digits = (longest: number) => fc.stringMatching(new RegExp(`^\\d{0,${longest}}$`))

describe('a date typed in three numbers', () => {
  it('is a date only if it exists', () => {
    expect(textOfDate({ day: '6', month: '5', year: '1980' })).toBe('1980-05-06')
    expect(isDate('1980-05-06')).toBe(true)
    for (const text of ['', '1980--', '1980-5-6', '1980-02-30', '0-05-06', '80-05-06']) {
      expect(isDate(text), text).toBe(false)
    }
  })

  it('keeps half a date, and one that does not exist, as typed', () => {
    for (const parts of [
      { day: '27', month: '', year: '' },
      { day: '', month: '3', year: '19' },
      { day: '30', month: '02', year: '1980' },
    ]) {
      expect(partsOfDate(textOfDate(parts))).toEqual(parts)
      expect(isDate(textOfDate(parts))).toBe(false)
    }
  })

  it('returns the same text when it is read back, for any numbers', () => {
    fc.assert(
      fc.property(digits(2), digits(2), digits(4), (day, month, year) => {
        const text = textOfDate({ day, month, year })
        expect(textOfDate(partsOfDate(text))).toBe(text)
        expect(text === '').toBe(day + month + year === '')
      }),
    )
  })
})
