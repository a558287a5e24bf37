import { seconds } from '../clock.ts'
import type { PageBody } from './page-body.ts'

/** A 200 response, the same for every reader. */
export type KeptPage = { headers: Readonly<Record<string, string>>; body: PageBody }

/** Where a rendering began: by what it may be kept once it is done. */
export type Beginning = { version: number; at: number }

export type PageCache = {
  get(key: string): KeptPage | undefined
  begin(): Beginning
  /**
   * Keeps a page, unless something has changed since its rendering began.
   * @param until epoch milliseconds; until then the page stays correct unless something changes
   */
  keep(key: string, page: KeptPage, beginning: Beginning, until?: number): void
  /** Something that pages show has changed: none is shown again, nor kept that is being rendered. */
  forget(): void
}

/** From the moment its rendering began. Other instances hear of a change no later than this. */
const maxAgeMs = seconds(1.5)
const maxPages = 500
const maxBytesOfPage = 1_000_000
const maxBytes = 48_000_000

/**
 * Anonymous pages for a moment. A search that is answered from here is not counted against its address: nothing is
 * searched for.
 * @param now epoch milliseconds
 */
export function createPageCache(now: () => number): PageCache {
  // In the order in which they were kept, which is nearly that in which they end.
  const pages = new Map<string, KeptPage & { at: number; until: number }>()
  let bytes = 0
  let version = 0

  const remove = (key: string) => {
    bytes -= pages.get(key)?.body.bytes ?? 0
    pages.delete(key)
  }
  /** A clock that was put back ends a page as well. */
  const isFresh = ({ at, until }: { at: number; until: number }) =>
    Math.abs(now() - at) < maxAgeMs && now() < until

  return {
    get(key) {
      const page = pages.get(key)
      if (!page || isFresh(page)) return page
      remove(key)
      return undefined
    },
    begin: () => ({ version, at: now() }),
    keep(key, page, beginning, until = Number.POSITIVE_INFINITY) {
      if (beginning.version !== version || page.body.bytes > maxBytesOfPage) return
      remove(key)
      pages.set(key, { ...page, at: beginning.at, until })
      bytes += page.body.bytes
      for (const [oldest, kept] of pages) {
        if (isFresh(kept) && pages.size <= maxPages && bytes <= maxBytes) break
        remove(oldest)
      }
    },
    forget() {
      version += 1
      pages.clear()
      bytes = 0
    },
  }
}
