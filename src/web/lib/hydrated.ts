import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * The method of a form that needs JavaScript. Until the page is alive it is one by which browsers send nothing, whichever
 * key is pressed in it.
 */
export function useFormMethod(): 'post' | 'dialog' {
  return useHydrated() ? 'post' : 'dialog'
}

/** False on the server and until the page is alive in the browser. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
