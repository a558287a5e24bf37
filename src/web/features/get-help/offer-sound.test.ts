import { afterEach, beforeEach, expect, test, vi } from 'vitest'

class FakeContext extends EventTarget {
  state: AudioContextState = 'suspended'
  destination = {}
  currentTime = 0
  constructor() {
    super()
    contexts.push(this)
  }
  async resume() {
    if (this.state === 'suspended' && mayPlay) this.become('running')
  }
  async close() {
    this.become('closed')
  }
  become(state: AudioContextState) {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
  createOscillator() {
    notes++
    return { frequency: {}, connect: () => ({ connect: () => {} }), start() {}, stop() {} }
  }
  createGain() {
    return {
      gain: { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} },
    }
  }
}

let contexts: FakeContext[]
let notes: number
/** Whether the browser plays a sound at this moment. */
let mayPlay: boolean
let page: EventTarget & { visibilityState: string }
let sound: typeof import('./offer-sound.ts')
let stop: () => void

beforeEach(async () => {
  contexts = []
  notes = 0
  mayPlay = true
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const view = new EventTarget()
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', view.addEventListener.bind(view))
  vi.stubGlobal('removeEventListener', view.removeEventListener.bind(view))
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('AudioContext', FakeContext)
  press = () => view.dispatchEvent(new Event('keydown'))
  vi.resetModules()
  sound = await import('./offer-sound.ts')
  stop = sound.awaitTouch()
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

let press: () => void

test('the sound of a request plays after the first touch', () => {
  expect(sound.playOfferSound()).toBe(false)
  press()
  expect(sound.playOfferSound()).toBe(true)
  expect(notes).toBe(2)
})

test('a sound that the phone suspends plays again once the page is seen', () => {
  press()
  contexts[0]?.become('suspended')
  page.dispatchEvent(new Event('visibilitychange'))
  expect(sound.playOfferSound()).toBe(true)
  expect(contexts).toHaveLength(1)
})

test('a sound that the browser does not resume by itself plays again after a touch', () => {
  press()
  contexts[0]?.become('suspended')
  mayPlay = false
  page.dispatchEvent(new Event('visibilitychange'))
  expect(sound.playOfferSound()).toBe(false)
  mayPlay = true
  press()
  expect(sound.playOfferSound()).toBe(true)
})

test('a context that stays interrupted is closed, and another one plays after a touch', () => {
  press()
  contexts[0]?.become('interrupted')
  page.dispatchEvent(new Event('visibilitychange'))
  expect(sound.playOfferSound()).toBe(false)
  press()
  expect(sound.playOfferSound()).toBe(true)
  expect(contexts.map(({ state }) => state)).toEqual(['closed', 'running'])
})

test('touches leave a sound alone that plays, and one whose page has stopped listening', () => {
  press()
  press()
  expect(contexts).toHaveLength(1)
  contexts[0]?.become('interrupted')
  stop()
  press()
  expect(contexts).toHaveLength(1)
})

test('a browser that opens no audio context leaves the page as it is', () => {
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: true } })
  vi.stubGlobal('AudioContext', undefined)
  expect(() => sound.awaitTouch()()).not.toThrow()
})
