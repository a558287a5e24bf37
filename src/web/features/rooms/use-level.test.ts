import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openAnalyser } from './use-level.ts'

/** Contexts that were opened and not closed. */
let open: number
const track = {} as MediaStreamTrack

beforeEach(() => {
  open = 0
  vi.stubGlobal('MediaStream', EventTarget)
})
afterEach(() => vi.unstubAllGlobals())

test('a microphone whose sample rate the browser cannot connect has no level, and its context is closed', () => {
  vi.stubGlobal(
    'AudioContext',
    class {
      constructor() {
        open++
      }
      createAnalyser() {
        return {}
      }
      createMediaStreamSource() {
        throw new DOMException('Different sample rates.', 'NotSupportedError')
      }
      async close() {
        open--
      }
    },
  )
  expect(openAnalyser(track)).toBeUndefined()
  expect(open).toBe(0)
})

test('a microphone has no level where the browser opens no audio context', () => {
  vi.stubGlobal('AudioContext', undefined)
  expect(openAnalyser(track)).toBeUndefined()
})
