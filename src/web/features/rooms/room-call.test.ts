import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CallSignal } from './call-types.ts'
import { createOwnMedia } from './own-media.ts'
import { createCall } from './room-call.ts'

class FakeConnection extends EventTarget {
  connectionState = 'new'
  readonly signalingState = 'stable'
  readonly settings: RTCConfiguration
  constructor(settings: RTCConfiguration) {
    super()
    this.settings = settings
    made.push(this)
  }
  static async generateCertificate() {
    return { getFingerprints: () => [{ algorithm: 'sha-256', value: Array(32).fill('AB').join(':') }] }
  }
  become(state: string) {
    this.connectionState = state
    this.dispatchEvent(new Event('connectionstatechange'))
  }
  close() {
    this.connectionState = 'closed'
  }
  restartIce() {}
  getSenders() {
    return []
  }
  getReceivers() {
    return []
  }
  async getStats() {
    return new Map([
      ['loss', { type: 'remote-inbound-rtp', id: 'loss', fractionLost: loss }],
      [
        'mic',
        { type: 'media-source', id: 'mic', kind: 'audio', trackIdentifier: 'mic', totalAudioEnergy: 1 },
      ],
    ])
  }
}

/** Every connection that was made, in order. */
let made: FakeConnection[]
let sent: CallSignal[]
/** The share of packets that does not arrive. */
let loss: number

beforeEach(() => {
  vi.useFakeTimers()
  made = []
  sent = []
  loss = 0
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('RTCPeerConnection', FakeConnection)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A client's call that stands, by any way that there is. */
async function connectedCall({ hasRelay, isDirect }: { hasRelay: boolean; isDirect: boolean }) {
  const media = createOwnMedia({ isMuted: true, isCameraOn: false })
  const call = createCall({
    appointmentId: '00000000-0000-4000-8000-000000000001',
    side: 'client',
    servers: [],
    isDirect,
    isRelayOnly: false,
    hasRelay,
    mayGoDirect: true,
    media,
    send: (signal) => sent.push(signal),
  })
  await vi.advanceTimersByTimeAsync(0)
  made[0]?.become('connected')
  return { media, call }
}

const ways = () => made.map(({ settings }) => settings.iceTransportPolicy)

test.each([
  ['through the relay alone where there is one', { hasRelay: true, isDirect: false }, 'relay'],
  ['in the same way without a relay', { hasRelay: false, isDirect: false }, 'all'],
  ['directly where the client has chosen so', { hasRelay: false, isDirect: true }, 'all'],
] as const)('a call that is lost for 15 seconds is begun again, %s', async (_name, options, way) => {
  const { media, call } = await connectedCall(options)
  made[0]?.become('disconnected')
  await vi.advanceTimersByTimeAsync(3000)
  expect(call.store.get().phase).toBe('reconnecting')
  await vi.advanceTimersByTimeAsync(14_900)
  expect(ways()).toEqual(['all'])
  await vi.advanceTimersByTimeAsync(100)
  expect(ways()).toEqual(['all', way])
  expect(made.map(({ connectionState }) => connectionState)).toEqual(['closed', 'new'])
  // The practitioner's side follows: another number of the client's, and none of the practitioner's yet.
  const numbers = sent.map(({ data }) => data as { practitioner: number; client: number })
  expect(numbers.at(-1)?.client).toBeGreaterThan(numbers[0]?.client ?? 0)
  expect(numbers.at(-1)?.practitioner).toBe(0)
  call.close()
  media.close()
})

test('a call that is back within 15 seconds keeps its connection', async () => {
  const { media, call } = await connectedCall({ hasRelay: true, isDirect: false })
  made[0]?.become('disconnected')
  await vi.advanceTimersByTimeAsync(17_000)
  made[0]?.become('connected')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ways()).toEqual(['all'])
  expect(call.store.get().phase).toBe('connected')
  call.close()
  media.close()
})

test('a camera that is turned on again on a weak network ends the warning, and has time before it goes off again', async () => {
  const { media, call } = await connectedCall({ hasRelay: true, isDirect: false })
  await media.setCamera(true)
  loss = 0.5
  await vi.advanceTimersByTimeAsync(16_000)
  expect([call.store.get().isWeak, media.store.get().isCameraOn]).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(10_000)
  await media.setCamera(true)
  expect(call.store.get().isWeak).toBe(false)
  await vi.advanceTimersByTimeAsync(5000)
  expect([call.store.get().isWeak, media.store.get().isCameraOn]).toEqual([false, true])
  await vi.advanceTimersByTimeAsync(5000)
  expect([call.store.get().isWeak, media.store.get().isCameraOn]).toEqual([true, false])
  call.close()
  media.close()
})

test('a call that has ended leaves no timer, also when signals pass again or the network changes after it', async () => {
  const { media, call } = await connectedCall({ hasRelay: true, isDirect: false })
  await vi.advanceTimersByTimeAsync(60_000)
  call.close()
  call.wayIsOpen()
  call.networkHasChanged()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(made.map(({ connectionState }) => connectionState)).toEqual(['closed'])
  expect(vi.getTimerCount()).toBe(0)
  media.close()
})

test('a microphone that has gone quiet while the page was hidden is taken again once the page is seen', async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('document', page)
  let asked = 0
  const mediaDevices = Object.assign(new EventTarget(), {
    enumerateDevices: async () => [],
    async getUserMedia() {
      asked += 1
      const track = Object.assign(new EventTarget(), {
        kind: 'audio',
        muted: false,
        readyState: 'live',
        getSettings: () => ({ deviceId: 'mic' }),
        stop: () => undefined,
      })
      return { getTracks: () => [track] }
    },
  })
  vi.stubGlobal('navigator', { mediaDevices })
  const { media, call } = await connectedCall({ hasRelay: true, isDirect: false })
  await media.start()
  page.visibilityState = 'hidden'
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toBe(1)
  page.visibilityState = 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked).toBe(2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toBe(3)
  call.close()
  media.close()
})
