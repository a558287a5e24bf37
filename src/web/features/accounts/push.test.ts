import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BrowserError } from '#web/lib/api-error.ts'
import { turnPushOn } from './push.ts'

const subscribe = vi.fn()
const called = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('Notification', { requestPermission: async () => 'granted' })
  vi.stubGlobal('fetch', called)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('turning notifications on ends with words where the worker cannot be installed', async () => {
  vi.stubGlobal('navigator', {
    serviceWorker: {
      getRegistration: async () => ({ pushManager: { subscribe } }),
      ready: new Promise(() => {}),
    },
  })
  const refused = expect(turnPushOn('key')).rejects.toThrow(BrowserError)
  await vi.runAllTimersAsync()
  await refused
  expect(subscribe).not.toHaveBeenCalled()
  expect(called).not.toHaveBeenCalled()
})
