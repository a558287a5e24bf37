import { expect, test } from 'vitest'
import { createPageBody } from './page-body.ts'
import { createPageCache, type KeptPage } from './page-cache.ts'

function pageOf(text: string): KeptPage {
  return { headers: {}, body: createPageBody(Buffer.from(text)) }
}

function cacheWithClock() {
  let time = 1_000_000
  const cache = createPageCache(() => time)
  return {
    cache,
    advance(by: number) {
      time += by
    },
  }
}

test('a page is kept for a second and a half from when its rendering began', () => {
  const { cache, advance } = cacheWithClock()
  const beginning = cache.begin()
  advance(1000)
  const page = pageOf('a page')
  cache.keep('/a', page, beginning)
  advance(499)
  expect(cache.get('/a')).toMatchObject(page)
  expect(cache.get('/b')).toBeUndefined()
  advance(1)
  expect(cache.get('/a')).toBeUndefined()
})

test('a page ends when a fact that it shows does', () => {
  const { cache, advance } = cacheWithClock()
  const beginning = cache.begin()
  cache.keep('/a', pageOf('a page'), beginning, beginning.at + 200)
  advance(199)
  expect(cache.get('/a')).toBeDefined()
  advance(1)
  expect(cache.get('/a')).toBeUndefined()
})

test('a clock that is put back ends a page', () => {
  const { cache, advance } = cacheWithClock()
  cache.keep('/a', pageOf('a page'), cache.begin())
  advance(-3_600_000)
  expect(cache.get('/a')).toBeUndefined()
})

test('after a change nothing is shown again, nor kept that was being rendered', () => {
  const { cache } = cacheWithClock()
  cache.keep('/a', pageOf('before'), cache.begin())
  const beginning = cache.begin()
  cache.forget()
  expect(cache.get('/a')).toBeUndefined()
  cache.keep('/a', pageOf('before, late'), beginning)
  expect(cache.get('/a')).toBeUndefined()
  const after = pageOf('after')
  cache.keep('/a', after, cache.begin())
  expect(cache.get('/a')).toMatchObject(after)
})

test('it holds so many pages and no more, the newest', () => {
  const { cache } = cacheWithClock()
  for (let at = 0; at < 2000; at++) cache.keep(`/${at}`, pageOf('a page'), cache.begin())
  const kept = Array.from({ length: 2000 }, (_, at) => at).filter((at) => cache.get(`/${at}`))
  expect(kept).toEqual(Array.from({ length: 500 }, (_, at) => at + 1500))
})

test('it holds so many bytes and no more, and no page that is far too large', () => {
  const { cache } = cacheWithClock()
  cache.keep('/huge', pageOf('x'.repeat(1_000_000)), cache.begin())
  expect(cache.get('/huge')).toBeUndefined()
  const large = pageOf('x'.repeat(600_000))
  for (let at = 0; at < 200; at++) cache.keep(`/${at}`, large, cache.begin())
  const kept = Array.from({ length: 200 }, (_, at) => at).filter((at) => cache.get(`/${at}`))
  expect(kept.length * large.body.bytes).toBeLessThan(48_000_001)
  expect(kept.length).toBeGreaterThan(40)
  expect(kept.at(-1)).toBe(199)
  // The same page again takes the place of its former one.
  for (let turn = 0; turn < 200; turn++) cache.keep('/199', large, cache.begin())
  expect(cache.get('/198')).toBeDefined()
})
