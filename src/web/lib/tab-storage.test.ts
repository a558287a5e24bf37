import { afterEach, beforeEach, expect, test } from 'vitest'
import { tabNames, tabStorage } from './tab-storage.ts'

function stubStorage(get: () => object): void {
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, get })
}
function forgetAll(): void {
  for (const name of tabNames()) tabStorage.removeItem(name)
}
// Tests of other files in the same process keep texts as well.
beforeEach(forgetAll)
afterEach(() => {
  forgetAll()
  Reflect.deleteProperty(globalThis, 'sessionStorage')
})

test('a text lasts as long as the page where storage is forbidden', () => {
  stubStorage(() => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  })
  expect(tabStorage.getItem('draft')).toBeNull()
  tabStorage.setItem('draft', 'one')
  expect(tabStorage.getItem('draft')).toBe('one')
  expect(tabNames()).toEqual(['draft'])
  tabStorage.removeItem('draft')
  expect(tabStorage.getItem('draft')).toBeNull()
})

test('a text that storage has no room for is there until a shorter one is kept', () => {
  const kept: Record<string, string> = { draft: 'before' }
  const methods = {
    getItem: (name: string) => kept[name] ?? null,
    setItem(name: string, text: string) {
      if (text.length > 10) throw new DOMException('full', 'QuotaExceededError')
      kept[name] = text
    },
    removeItem: (name: string) => Reflect.deleteProperty(kept, name),
  }
  // As in a browser, its own names are those of what is kept.
  stubStorage(() => Object.assign(Object.create(methods) as object, kept))
  tabStorage.setItem('draft', 'much too long')
  expect(tabStorage.getItem('draft')).toBe('much too long')
  tabStorage.setItem('draft', 'short')
  expect(tabStorage.getItem('draft')).toBe('short')
  expect(kept).toEqual({ draft: 'short' })
  expect(tabNames()).toEqual(['draft'])
})
