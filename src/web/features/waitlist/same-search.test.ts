import { expect, test } from 'vitest'
import { isSameSearch } from './same-search.ts'

const search = { session_type: 'online', name: 'Abara' }

test.each([
  [{ name: 'Abara', session_type: 'online' }, true],
  [{ name: 'Abara' }, false],
  [{ ...search, gender: '1' }, false],
  [{ name: 'Abara', gender: '1' }, false],
  [{ ...search, name: 'Okafor' }, false],
] as const)('%o', (other, isSame) => {
  expect([isSameSearch(search, other), isSameSearch(other, search)]).toEqual([isSame, isSame])
})
