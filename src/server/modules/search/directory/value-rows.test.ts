import { expect, test } from 'vitest'
import { createRandom } from '#server/db/seed/demo/random.ts'
import { ValueRows } from './value-rows.ts'

const random = createRandom(1, 'value rows')
const below = (limit: number) => Math.floor(random.next() * limit)

/** Counts documents by the rows, and their values one by one. */
function bothCounts(
  rows: ValueRows,
  values: number,
  lists: readonly (readonly number[])[],
  documents: number[],
) {
  rows.documents.set(documents)
  rows.tally(documents.length)
  const expected = Array.from({ length: values }, () => 0)
  for (const document of documents) {
    for (const value of lists[document]!) if (value < values) expected[value]! += 1
  }
  return { counted: expected.map((_, value) => rows.counts[rows.slotOf(value)]), expected }
}

// A row has one, two or four vectors of 128 values.
test.each([1, 31, 32, 127, 128, 129, 250, 256, 257, 400])('%i values are counted as one by one', (values) => {
  const size = 700
  const rows = new ValueRows(values, size)
  const lists = Array.from({ length: size }, () =>
    Array.from({ length: below(40) }, () => below(values)).filter(
      (each, at, all) => all.indexOf(each) === at,
    ),
  )
  for (const [document, list] of lists.entries()) rows.set(document, list)
  for (const count of [0, 1, 7, 8, 9, 63, 64, 65, 255, 256, 700]) {
    const documents = Array.from({ length: size }, (_, document) => document)
      .toSorted(() => random.next() - 0.5)
      .slice(0, count)
    const { counted, expected } = bothCounts(rows, values, lists, documents)
    expect(counted).toEqual(expected)
  }
})

test('documents that all have all values are counted up to the highest number', () => {
  const size = 70_001
  const rows = new ValueRows(130, size)
  const all = Array.from({ length: 130 }, (_, value) => value)
  for (let document = 0; document < size; document++) rows.set(document, all)
  for (let document = 0; document < size; document++) rows.documents[document] = document
  rows.tally(size)
  expect(new Set(all.map((value) => rows.counts[rows.slotOf(value)]))).toEqual(new Set([size]))
})

test('values are replaced, those that are not counted are left out, and what is known stays when more documents come', () => {
  const rows = new ValueRows(100, 10)
  const lists = Array.from({ length: 5000 }, (_, document) => [document % 100, 99, 100, 5000])
  for (const [document, list] of lists.slice(0, 10).entries()) rows.set(document, [1, 2, 3, ...list])
  for (const [document, list] of lists.slice(0, 10).entries()) rows.set(document, list)
  rows.grow(5000)
  for (const [document, list] of lists.slice(10).entries()) rows.set(document + 10, list)
  const { counted, expected } = bothCounts(
    rows,
    100,
    lists.map((list) => [...new Set(list)]),
    Array.from({ length: 5000 }, (_, document) => document),
  )
  expect(counted).toEqual(expected)
  expect(counted[99]).toBe(5000)
})
