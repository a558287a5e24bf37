import { useSyncExternalStore } from 'react'

/** A value that components follow. */
export type Store<S> = {
  get(): S
  set(change: Partial<S>): void
  /** Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void
}

export function createStore<S extends object>(first: S): Store<S> {
  let state = first
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set(change) {
      const keys = Object.keys(change) as (keyof S)[]
      if (keys.every((key) => state[key] === change[key])) return
      state = { ...state, ...change }
      for (const listener of Array.from(listeners)) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useStore<S extends object>(store: Store<S>): S {
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}
