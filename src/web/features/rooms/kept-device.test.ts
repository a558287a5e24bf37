import { afterEach, expect, test, vi } from 'vitest'
import { openDevice } from './kept-device.ts'

const appointmentId = '00000000-0000-4000-8000-000000000001'

afterEach(() => vi.unstubAllGlobals())

test('a browser that allows no locks, since it may store nothing, still opens the room', async () => {
  const request = () => Promise.reject(new DOMException('Access is denied.', 'SecurityError'))
  vi.stubGlobal('navigator', { locks: { request } })
  const device = await openDevice(appointmentId)
  expect(device.hasJoined).toBe(false)
  expect(await openDevice(appointmentId)).toEqual(device)
})
