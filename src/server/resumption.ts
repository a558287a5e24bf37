import { AsyncLocalStorage } from 'node:async_hooks'

const resumed = new AsyncLocalStorage<true>()

/** Runs a request whose first attempt died with its process. */
export function resume<T>(act: () => Promise<T>): Promise<T> {
  return resumed.run(true, act)
}

/** Whether this request goes on with one whose process has died: what that one was waiting for, no process waits for. */
export function isResumed(): boolean {
  return resumed.getStore() === true
}
