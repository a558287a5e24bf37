export type Listeners<Args extends unknown[]> = {
  /** Returns the unsubscribe function. */
  add(listener: (...args: Args) => void): () => void
  call(...args: Args): void
}

/** Functions to be called whenever something has happened. One that is removed meanwhile is not called any more. */
export function createListeners<Args extends unknown[] = []>(): Listeners<Args> {
  const all = new Set<(...args: Args) => void>()
  return {
    add(listener) {
      all.add(listener)
      return () => all.delete(listener)
    },
    call(...args) {
      for (const listener of Array.from(all)) if (all.has(listener)) listener(...args)
    },
  }
}
