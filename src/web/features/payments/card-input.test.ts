import { expect, test } from 'vitest'
import {
  cardNumberProblem,
  caretAfterDigits,
  codeProblem,
  expiryOf,
  expiryProblem,
  formatCardNumber,
  formatCode,
  formatExpiry,
} from './card-input.ts'

test.each([
  ['', ''],
  ['4', '4'],
  ['42424', '4242 4'],
  ['4242424242424242', '4242 4242 4242 4242'],
  ['4242-4242 4242x4242', '4242 4242 4242 4242'],
  ['42424242424242429999', '4242 4242 4242 4242'],
  ['4242 ', '4242'],
  ['378282246310005', '3782 8224 6310 005'],
])('the card number "%s" is shown as "%s"', (typed, shown) => {
  expect(formatCardNumber(typed)).toBe(shown)
  expect(formatCardNumber(shown)).toBe(shown)
  expect(shown.length).toBeLessThanOrEqual(19)
})

test.each([
  ['', ''],
  ['1', '1'],
  ['4', '04'],
  ['12', '12'],
  ['123', '12 / 3'],
  ['1234', '12 / 34'],
  ['429', '04 / 29'],
  ['12 / ', '12'],
  ['12/2034', '12 / 34'],
  ['12345', '12 / 34'],
  ['ab', ''],
])('the expiry "%s" is shown as "%s"', (typed, shown) => {
  expect(formatExpiry(typed)).toBe(shown)
  expect(formatExpiry(shown)).toBe(shown)
  expect(shown.length).toBeLessThanOrEqual(7)
})

test('the code keeps three digits', () => {
  expect(formatCode('12a34')).toBe('123')
})

test('the caret stays behind the digits it stood behind', () => {
  expect(caretAfterDigits('4242 4242', 0)).toBe(0)
  expect(caretAfterDigits('4242 4242', 3)).toBe(3)
  expect(caretAfterDigits('4242 4242', 4)).toBe(4)
  expect(caretAfterDigits('4242 4242', 5)).toBe(6)
  expect(caretAfterDigits('4242 4242', 8)).toBe(9)
  expect(caretAfterDigits('12 / 34', 20)).toBe(7)
})

test('an expiry is a month and a year, or not one yet', () => {
  expect(expiryOf('04 / 29')).toEqual({ month: 4, year: 2029 })
  expect(expiryOf('13 / 29')).toBeUndefined()
  expect(expiryOf('00 / 29')).toBeUndefined()
  expect(expiryOf('04 / 2')).toBeUndefined()
})

test('a card is good to the last millisecond of its month', () => {
  const lastMoment = Date.UTC(2029, 4, 1) - 1
  expect(expiryProblem('04 / 29', lastMoment)).toBeUndefined()
  expect(expiryProblem('04 / 29', lastMoment + 1)).toBe('This card has expired.')
  expect(expiryProblem('14 / 29', lastMoment)).toMatch(/as on the card/)
  expect(expiryProblem('', lastMoment)).toMatch(/month and year/)
})

test('a mistyped digit is found before anything is sent', () => {
  expect(cardNumberProblem('4242 4242 4242 4242')).toBeUndefined()
  expect(cardNumberProblem('3782 8224 6310 005')).toBeUndefined()
  expect(cardNumberProblem('4242 4242 4242 4243')).toMatch(/digits is wrong/)
  expect(cardNumberProblem('4242')).toMatch(/too short/)
  expect(cardNumberProblem('')).toMatch(/Enter the number/)
})

test('a code needs three digits', () => {
  expect(codeProblem('12')).toMatch(/3 digits/)
  expect(codeProblem('123')).toBeUndefined()
})
