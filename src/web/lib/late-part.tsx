import { type ComponentType, useEffect, useState } from 'react'

/**
 * A component whose code comes when it is wanted, with `useLatePart` beside it for the time until then. It renders nothing
 * before it has been loaded. `lazyPart` is for what may be missing for a while without a word.
 */
export type LatePart<P> = ComponentType<P> & Loadable

type Loadable = {
  isLoaded(): boolean
  /** Fetches the code, once. @throws if it does not come within `longestMs`; the next call goes on or tries again */
  load(): Promise<void>
}

const longestMs = 15_000

export function latePart<P extends object>(
  fetchPart: () => Promise<{ default: ComponentType<P> }>,
): LatePart<P> {
  let Loaded: ComponentType<P> | undefined
  let fetching: Promise<void> | undefined
  const fetchOnce = () => {
    fetching ??= fetchPart()
      .then((part) => {
        Loaded = part.default
      })
      .finally(() => {
        fetching = undefined
      })
    return fetching
  }
  const Part = (props: P) => (Loaded ? <Loaded {...props} /> : null)
  return Object.assign(Part, {
    isLoaded: () => Loaded !== undefined,
    load: () => (Loaded ? Promise.resolve() : withinTime(fetchOnce())),
  })
}

function withinTime(work: Promise<void>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error('A part of the page did not come in time.')), longestMs)
  work.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}

/** Fetches a part ahead of its use. It is fetched again when it is used, if it does not come now. */
export const fetchAhead = (part: Loadable): void => void part.load().catch(() => undefined)

/** Loads a part at once, when the browser has nothing else to do, or not yet. */
export function useLatePart(part: Loadable, when: 'at once' | 'idle' | 'not yet' = 'at once') {
  const [outcome, setOutcome] = useState<'loaded' | 'failed'>()
  const isWaiting = outcome === undefined && when !== 'not yet'
  useEffect(() => {
    if (!isWaiting) return undefined
    let isGone = false
    const load = async () => {
      const next = await part.load().then(
        () => 'loaded' as const,
        () => 'failed' as const,
      )
      if (!isGone) setOutcome(next)
    }
    const stop = when === 'idle' ? whenIdle(() => void load()) : void load()
    return () => {
      isGone = true
      stop?.()
    }
  }, [part, when, isWaiting])
  return {
    status: part.isLoaded()
      ? ('ready' as const)
      : outcome === 'failed'
        ? ('failed' as const)
        : ('loading' as const),
    /** Forgets that it failed. It is loaded again for as long as it is wanted. */
    retry: () => setOutcome(undefined),
  }
}

/** Safari does not know when it has nothing else to do. Returns the function that takes it back. */
function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, 200)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: 1000 })
  return () => cancelIdleCallback(handle)
}
