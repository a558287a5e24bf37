import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { __vitePreload as loadModule } from './module-loading.ts'

/** Paths that the page itself has named. */
let named: string[]
/** Paths that do not come. */
let away: string[]
let asked: string[]

beforeEach(() => {
  named = []
  away = []
  asked = []
  vi.stubGlobal('document', {
    querySelector: (selector: string) => named.find((path) => selector === `link[href="${path}"]`) ?? null,
  })
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    if (away.includes(path)) throw new TypeError('Failed to fetch')
    return new Response('', { status: path.includes('gone') ? 404 : 200 })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('a module is asked for once all its files have come, and each file is fetched once', async () => {
  const load = vi.fn(async () => 'module')
  away = ['/assets/b.js']
  await expect(loadModule(load, ['assets/a.js', 'assets/b.js'])).rejects.toThrow('Failed to fetch')
  expect(load).not.toHaveBeenCalled()
  away = []
  expect(await loadModule(load, ['assets/a.js', 'assets/b.js'])).toBe('module')
  expect(await loadModule(load, ['assets/b.js'])).toBe('module')
  expect(asked).toEqual(['/assets/a.js', '/assets/b.js', '/assets/b.js'])
})

test('a file that the server does not have leaves its module unasked', async () => {
  const load = vi.fn(async () => 'module')
  await expect(loadModule(load, ['assets/gone.js'])).rejects.toThrow('did not come')
  expect(load).not.toHaveBeenCalled()
})

test('files that the page has named are not fetched, and a module may have none', async () => {
  named = ['/assets/c.js']
  expect(await loadModule(async () => 'module', ['assets/c.js'])).toBe('module')
  expect(await loadModule(async () => 'other')).toBe('other')
  expect(asked).toEqual([])
})
