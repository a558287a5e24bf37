import { expect, test } from 'vitest'
import { NumberedText } from './numbered-text.ts'

test('numbers of any length stand where they belong, also after longer ones', () => {
  const text = new NumberedText(['{"a":', ',"b":', ',"c":'], '}')
  for (const numbers of [
    [2_147_483_647, 1_000_000_000, 999_999_999],
    [0, 9, 10],
    [11, 99, 100],
    [1, 12_345, 99_999],
  ]) {
    const [a, b, c] = numbers
    expect(JSON.parse(text.with(Int32Array.from(numbers)))).toEqual({ a, b, c })
  }
  expect(text.with(Int32Array.of(0, 0, 7))).toBe('{"a":0,"b":0,"c":7}')
})

test('a text without a place is what stands at its end', () => {
  expect(new NumberedText([], '{}').with(new Int32Array(0))).toBe('{}')
})
