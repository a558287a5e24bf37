import { expect, test } from 'vitest'
import { amountOf, amountRule } from './AmountField.tsx'

test.each([
  ['12.50', 12.5],
  [' £12.50 ', 12.5],
  ['£ 7', 7],
  ['0.05', 0.05],
])('%o means %d pounds', (text, pounds) => {
  expect(amountOf(text)).toBe(pounds)
  expect(amountRule.validate(text)).toBe(true)
})

test.each(['', '£', '12.505', '-1', '1,000', 'twelve', '12.', '££1'])('%o is no amount', (text) => {
  expect(amountOf(text)).toBeNaN()
  expect(amountRule.validate(text)).toMatch(/^Enter pounds/)
})
