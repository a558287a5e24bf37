import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compareWords, findWords } from '../scripts/words.ts'

test('words are found in comments and in names of tests, with their lines', () => {
  const source = [
    '/** Somebody asks. */',
    "const said = 'nobody // whoever'",
    'const more = 1 // Whatever comes.',
    "test('anybody may call', () => {})",
    "test.each([1])('takes in %s', () => {})",
    'describe(`whoever asks`, () => {})',
  ].join('\n')
  expect(findWords(source)).toEqual([
    { line: 1, word: 'somebody' },
    { line: 3, word: 'whatever' },
    { line: 4, word: 'anybody' },
    { line: 5, word: 'takes in' },
    { line: 6, word: 'whoever' },
  ])
})

test('words on the screen are not counted', () => {
  expect(findWords('const text = `Nobody is here. /* whoever */`\nshow("somebody")')).toEqual([])
})

test('a file may have no more words than its record, and none without one', () => {
  expect(compareWords({ a: 2, b: 1 }, { a: 3, b: 1, c: 1 })).toEqual({ above: ['a', 'c'], below: [] })
})

test('a file with fewer words than its record lowers it', () => {
  expect(compareWords({ a: 2, gone: 1 }, { a: 1 })).toEqual({ above: [], below: ['a', 'gone'] })
})

test('names of tests that CONTRIBUTING recommends have none of the words', () => {
  const guide = readFileSync(join(import.meta.dirname, '../CONTRIBUTING.md'), 'utf8').replace(/\s+/g, ' ')
  const names = [...guide.matchAll(/reads alone: "([^"]+)"/g)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(0)
  expect(names.flatMap((name) => findWords(`test('${name}', () => {})`))).toEqual([])
})
