import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepPlaying } from './keep-playing.ts'

class FakeElement extends EventTarget {
  paused = true
  plays = 0
  async play() {
    this.plays++
    if (refusal !== undefined) throw new DOMException('Not now', refusal)
    this.paused = false
  }
  pause() {
    this.paused = true
    this.dispatchEvent(new Event('pause'))
  }
}

/** The name of the error that a play is refused with. */
let refusal: string | undefined
let page: EventTarget & { visibilityState: string }
let element: FakeElement
let track: { readyState: string }
let onBlocked: ReturnType<typeof vi.fn<(retry: (() => void) | undefined) => void>>
let kept: ReturnType<typeof keepPlaying>

beforeEach(async () => {
  refusal = undefined
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('document', page)
  element = new FakeElement()
  track = { readyState: 'live' }
  onBlocked = vi.fn<(retry: (() => void) | undefined) => void>()
  kept = keepPlaying(element as unknown as HTMLMediaElement, track as MediaStreamTrack, onBlocked)
  await settled()
  onBlocked.mockClear()
})
afterEach(() => {
  kept.stop()
  vi.unstubAllGlobals()
})

const settled = () => new Promise((resolve) => setTimeout(resolve))
const show = (visibility: 'visible' | 'hidden') => {
  page.visibilityState = visibility
  page.dispatchEvent(new Event('visibilitychange'))
}

test('a voice that the browser refuses to go on with after a call reports how to turn it on', async () => {
  show('hidden')
  element.pause()
  refusal = 'NotAllowedError'
  show('visible')
  await settled()
  expect(onBlocked).toHaveBeenCalledExactlyOnceWith(expect.any(Function))
  refusal = undefined
  onBlocked.mock.calls[0]?.[0]?.()
  await settled()
  expect(element.paused).toBe(false)
  expect(onBlocked).toHaveBeenLastCalledWith(undefined)
})

test('a pause on a visible page is answered with one play', async () => {
  element.pause()
  await settled()
  expect(element).toMatchObject({ paused: false, plays: 2 })
  refusal = 'NotAllowedError'
  element.pause()
  await settled()
  expect(element).toMatchObject({ paused: true, plays: 3 })
  expect(onBlocked).toHaveBeenLastCalledWith(expect.any(Function))
})

test('a play that another pause interrupts reports nothing', async () => {
  refusal = 'AbortError'
  element.pause()
  await settled()
  expect(onBlocked).not.toHaveBeenCalled()
})

test('a voice goes on once the microphone was taken again, and is left alone while it plays', async () => {
  kept.goOn()
  expect(element.plays).toBe(1)
  refusal = 'NotAllowedError'
  element.pause()
  await settled()
  refusal = undefined
  kept.goOn()
  await settled()
  expect(onBlocked).toHaveBeenLastCalledWith(undefined)
})

test('a track that has ended is not played again, and neither is one whose element was removed', () => {
  track.readyState = 'ended'
  element.pause()
  track.readyState = 'live'
  kept.stop()
  element.pause()
  show('visible')
  expect(element.plays).toBe(1)
})
