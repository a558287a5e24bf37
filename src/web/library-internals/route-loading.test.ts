import { afterEach, expect, test, vi } from 'vitest'
import { loadRouteModule } from './route-loading.ts'

const page = { id: 'page', module: 'data:text/javascript,export const name = "page"' }
const lost = { id: 'lost', module: 'data:text/javascript,throw new TypeError("It does not come.")' }

/** @returns the addresses of documents that are asked for */
function onWayTo(next: { pathname: string; search: string; hash: string } | undefined): string[] {
  const asked: string[] = []
  vi.stubGlobal('window', { __reactRouterDataRouter: { state: { navigation: { location: next } } } })
  vi.stubGlobal('location', { assign: (address: string) => asked.push(address) })
  return asked
}

afterEach(() => {
  vi.unstubAllGlobals()
})

test('the script of a page is loaded once', async () => {
  const known: Record<string, unknown> = {}
  const loaded = await loadRouteModule(page, known)
  expect(loaded).toMatchObject({ name: 'page' })
  expect(await loadRouteModule({ ...lost, id: 'page' }, known)).toBe(loaded)
})

test('one that does not come ahead of its use costs nothing, and is asked for again', async () => {
  const asked = onWayTo(undefined)
  const known: Record<string, unknown> = {}
  expect(await loadRouteModule(lost, known)).toEqual({})
  expect(known).toEqual({})
  expect(asked).toEqual([])
  expect(await loadRouteModule({ ...page, id: 'lost' }, known)).toMatchObject({ name: 'page' })
})

test('one of the page that is on its way has that loaded as a document', async () => {
  const asked = onWayTo({ pathname: '/found-therapists', search: '?name=an', hash: '#results' })
  const known: Record<string, unknown> = {}
  void loadRouteModule(lost, known)
  await expect.poll(() => asked).toEqual(['/found-therapists?name=an#results'])
  expect(known).toEqual({})
})
