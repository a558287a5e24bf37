import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/**
 * A part that stands on every page, whose code comes later. While the code cannot be fetched, as without a network, the page
 * goes on with what `Suspense` shows in its place: a part that threw would take every page with it, that of errors too.
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    for (let wait = 1000; ; wait = Math.min(2 * wait, 30_000)) {
      try {
        return await load()
      } catch {
        await soon(wait)
      }
    }
  })
}

/** After so many milliseconds, or as soon as there is a network again. */
function soon(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      window.removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, milliseconds)
    window.addEventListener('online', go)
  })
}
