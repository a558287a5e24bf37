import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/lib/listeners.ts'

/** A value that components follow. */
export type Store<S> = {
  get(): S
  set(change: Partial<S>): void
  /** Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void
}

export function createStore<S extends object>(first: S): Store<S> {
  let state = first
  const listeners = createListeners()
  return {
    get: () => state,
    set(change) {
      const keys = Object.keys(change) as (keyof S)[]
      if (keys.every((key) => state[key] === change[key])) return
      state = { ...state, ...change }
      listeners.call()
    },
    subscribe: listeners.add,
  }
}

export function useStore<S extends object>(store: Store<S>): S {
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}
