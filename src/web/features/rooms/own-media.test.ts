import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOwnMedia, type OwnMedia } from './own-media.ts'

class FakeTrack extends EventTarget {
  muted = false
  readyState = 'live'
  readonly kind: 'audio' | 'video'
  readonly deviceId: string
  constructor(kind: 'audio' | 'video', deviceId = `${kind} device`) {
    super()
    this.kind = kind
    this.deviceId = deviceId
  }
  stop() {
    this.readyState = 'ended'
  }
  getSettings() {
    return { deviceId: this.deviceId }
  }
  mute() {
    this.muted = true
    this.dispatchEvent(new Event('mute'))
  }
  end() {
    this.readyState = 'ended'
    this.dispatchEvent(new Event('ended'))
  }
}

/** Every track that was given, in order. */
let given: FakeTrack[]
let isMutedFromStart: boolean
/** What the page has asked for, in order. */
let asked: MediaStreamConstraints[]
/** Devices that take a second to open. */
let slow: string[]
/** Devices that are not there any more. */
let absent: string[]
/** The person does not allow what the page asks for. */
let isRefused: boolean
/** Another app uses the devices. */
let isBusy: boolean
/** Devices that another app uses. */
let busy: string[]
/** A second camera does not open while one is live, as on Android. */
let isOneCameraOnly: boolean
/** What the browser lists. */
let listed: Pick<MediaDeviceInfo, 'kind' | 'deviceId' | 'label'>[]
let page: EventTarget & { visibilityState: string }
let media: OwnMedia

beforeEach(async () => {
  vi.useFakeTimers()
  given = []
  isMutedFromStart = false
  asked = []
  slow = []
  absent = []
  isRefused = false
  isBusy = false
  busy = []
  isOneCameraOnly = false
  listed = []
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', {
    mediaDevices: Object.assign(new EventTarget(), {
      enumerateDevices: async () => listed,
      getUserMedia: async (constraints: MediaStreamConstraints) => {
        const { audio, video } = constraints
        asked.push(constraints)
        const exact = [audio, video].map(exactOf)
        const isSlow = exact.some((id) => id !== undefined && slow.includes(id))
        await new Promise((resolve) => setTimeout(resolve, isSlow ? 1000 : 100))
        if (isRefused) throw new DOMException('It is refused.', 'NotAllowedError')
        const isTaken =
          video &&
          isOneCameraOnly &&
          given.some(({ kind, readyState }) => kind === 'video' && readyState === 'live')
        if (isBusy || isTaken || exact.some((id) => id !== undefined && busy.includes(id)))
          throw new DOMException('It is in use.', 'NotReadableError')
        if (exact.some((id) => id !== undefined && absent.includes(id))) {
          throw new DOMException('It is not there.', 'OverconstrainedError')
        }
        const tracks = [
          audio && new FakeTrack('audio', exact[0]),
          video && new FakeTrack('video', exact[1]),
        ].filter((track) => track instanceof FakeTrack)
        for (const track of tracks) track.muted = isMutedFromStart
        given.push(...tracks)
        return { getTracks: () => tracks }
      },
    }),
  })
  media = createOwnMedia({ isMuted: false, isCameraOn: true })
  void media.start()
  await vi.advanceTimersByTimeAsync(100)
})
afterEach(() => {
  media.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const show = async (visibility: 'visible' | 'hidden') => {
  page.visibilityState = visibility
  page.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(100)
}
/** The one device that is asked for, if one is. */
function exactOf(constraints: boolean | MediaTrackConstraints | undefined): string | undefined {
  const { deviceId } = typeof constraints === 'object' ? constraints : {}
  return typeof deviceId === 'object' && 'exact' in deviceId ? String(deviceId.exact) : undefined
}
const kinds = () => given.map(({ kind }) => kind)

test('a microphone that the phone takes away is taken again after a second, and the old one is stopped', async () => {
  given[0]?.mute()
  await vi.advanceTimersByTimeAsync(999)
  expect(kinds()).toEqual(['audio', 'video'])
  await vi.advanceTimersByTimeAsync(101)
  expect(kinds()).toEqual(['audio', 'video', 'audio'])
  expect(given.map(({ readyState }) => readyState)).toEqual(['ended', 'live', 'live'])
  expect(media.store.get().microphone).toBe(given[2])
})

test('a microphone that is muted for a moment only is left alone', async () => {
  const [microphone] = given
  microphone?.mute()
  if (microphone) microphone.muted = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(kinds()).toEqual(['audio', 'video'])
})

test('devices that went while the page was hidden are taken again when it is seen, and not before', async () => {
  await show('hidden')
  given[0]?.end()
  given[1]?.mute()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(kinds()).toEqual(['audio', 'video'])
  await show('visible')
  expect(kinds()).toEqual(['audio', 'video', 'audio', 'video'])
  expect(media.store.get()).toMatchObject({ microphoneProblem: undefined, cameraProblem: undefined })
})

test('microphone and camera that the phone takes away at once are both taken again', async () => {
  given[0]?.mute()
  given[1]?.mute()
  await vi.advanceTimersByTimeAsync(3000)
  expect(kinds()).toEqual(['audio', 'video', 'audio', 'video'])
  expect(media.store.get()).toMatchObject({ microphone: given[2], camera: given[3] })
})

test('devices that another app had are taken again when the person comes back from it', async () => {
  isBusy = true
  void media.renew('microphone')
  await vi.advanceTimersByTimeAsync(200)
  void media.renew('camera')
  await vi.advanceTimersByTimeAsync(200)
  expect(media.store.get()).toMatchObject({ microphoneProblem: 'busy', cameraProblem: 'busy' })
  await show('hidden')
  isBusy = false
  await show('visible')
  expect(kinds()).toEqual(['audio', 'video', 'audio', 'video'])
  expect(media.store.get()).toMatchObject({ microphoneProblem: undefined, cameraProblem: undefined })
})

test('what a person went in without stays off when another app gives it back, until they turn it on', async () => {
  media.rest()
  isBusy = true
  void media.start()
  await vi.advanceTimersByTimeAsync(1000)
  expect(media.store.get()).toMatchObject({ isAsking: false, cameraProblem: 'busy' })
  media.goWithout()
  isBusy = false
  await show('hidden')
  await show('visible')
  await vi.advanceTimersByTimeAsync(5000)
  expect(media.store.get()).toMatchObject({ isCameraOn: false, isMuted: true, camera: undefined })
  void media.retry('camera')
  media.setMuted(false)
  await vi.advanceTimersByTimeAsync(200)
  expect(media.store.get()).toMatchObject({ isCameraOn: true, isMuted: false, cameraProblem: undefined })
  expect(media.store.get().camera).toBeDefined()
})

test('a device that stays muted is asked for again less and less often', async () => {
  isMutedFromStart = true
  given[0]?.mute()
  const counts: number[] = []
  for (let minute = 0; minute < 4; minute++) {
    await vi.advanceTimersByTimeAsync(60_000)
    counts.push(given.length)
  }
  expect(counts).toEqual([6, 7, 8, 9])
})

test('what arrives after the person has left, or has turned the camera off, is stopped', async () => {
  void media.setCamera(true)
  await media.setCamera(false)
  await vi.advanceTimersByTimeAsync(100)
  expect(given.map(({ readyState }) => readyState)).toEqual(['live', 'ended', 'ended'])

  void media.retry('microphone')
  media.rest()
  await vi.advanceTimersByTimeAsync(100)
  expect(given.map(({ readyState }) => readyState)).toEqual(['ended', 'ended', 'ended', 'ended'])
  await show('hidden')
  await show('visible')
  expect(given).toHaveLength(4)
  expect(media.store.get()).toMatchObject({ microphone: undefined, camera: undefined })
})

test('devices that are freed for another app stay so, also those on their way, until they are turned on', async () => {
  void media.retry('microphone')
  media.free()
  await vi.advanceTimersByTimeAsync(100)
  await show('hidden')
  await show('visible')
  expect(given.map(({ readyState }) => readyState)).toEqual(['ended', 'ended', 'ended'])
  expect(media.store.get()).toMatchObject({ microphone: undefined, isMuted: true, isCameraOn: false })
  void media.retry('microphone')
  await vi.advanceTimersByTimeAsync(100)
  expect(media.store.get().microphone).toBe(given[3])
})

test('a person who refuses both devices after leaving is not asked for each of them, and comes back without a problem', async () => {
  media.rest()
  isRefused = true
  void media.start()
  media.rest()
  await vi.advanceTimersByTimeAsync(1000)
  expect(asked).toHaveLength(2)
  expect(media.store.get()).toMatchObject({ microphoneProblem: undefined, cameraProblem: undefined })
})

test('a person who refuses both devices after turning the camera off is asked for the microphone alone', async () => {
  media.rest()
  isRefused = true
  void media.start()
  void media.setCamera(false)
  await vi.advanceTimersByTimeAsync(1000)
  expect(asked.slice(2).map(Object.keys)).toEqual([['audio']])
  expect(media.store.get()).toMatchObject({ microphoneProblem: 'refused', cameraProblem: undefined })
})

test('a microphone that is chosen takes the place of the one in use, and the camera stays as it is', async () => {
  const [microphone, camera] = given
  void media.choose('microphone', 'headset')
  await vi.advanceTimersByTimeAsync(100)
  expect(asked.at(-1)).toMatchObject({ audio: { deviceId: { exact: 'headset' } } })
  expect(asked.at(-1)).not.toHaveProperty('video')
  expect([microphone, camera, given[2]].map((track) => track?.readyState)).toEqual(['ended', 'live', 'live'])
  expect(media.store.get()).toMatchObject({ microphone: given[2], microphoneId: 'headset', camera })
})

test('a chosen device that is not there any more gives way to another one, without a problem', async () => {
  absent = ['headset']
  void media.choose('microphone', 'headset')
  await vi.advanceTimersByTimeAsync(200)
  expect(asked.slice(1).map(({ audio }) => exactOf(audio))).toEqual(['headset', undefined])
  expect(media.store.get()).toMatchObject({
    microphone: given[2],
    microphoneId: 'audio device',
    microphoneProblem: undefined,
  })
  expect(given.map(({ readyState }) => readyState)).toEqual(['ended', 'live', 'live'])
})

test('a camera that opens only once the former one is released takes its place, without a problem', async () => {
  isOneCameraOnly = true
  void media.choose('camera', 'rear camera')
  await vi.advanceTimersByTimeAsync(200)
  expect(media.store.get()).toMatchObject({
    camera: given[2],
    cameraId: 'rear camera',
    cameraProblem: undefined,
    isAsking: false,
  })
  expect(given.map(({ readyState }) => readyState)).toEqual(['live', 'ended', 'live'])
})

test('a chosen camera that does not open leaves the former one on, and reports that', async () => {
  isOneCameraOnly = true
  busy = ['rear camera']
  void media.choose('camera', 'rear camera')
  await vi.advanceTimersByTimeAsync(300)
  expect(asked.slice(1).map(({ video }) => exactOf(video))).toEqual([
    'rear camera',
    'rear camera',
    'video device',
  ])
  expect(media.store.get()).toMatchObject({
    camera: given[2],
    cameraId: 'video device',
    cameraProblem: 'kept',
    isAsking: false,
  })

  busy = []
  void media.choose('camera', 'rear camera')
  await vi.advanceTimersByTimeAsync(200)
  expect(media.store.get()).toMatchObject({ cameraId: 'rear camera', cameraProblem: undefined })
})

test('a chosen camera that does not open after the former one was unplugged ends with a problem', async () => {
  busy = ['rear camera']
  void media.choose('camera', 'rear camera')
  await vi.advanceTimersByTimeAsync(150)
  absent = ['video device']
  isBusy = true
  await vi.advanceTimersByTimeAsync(5000)
  expect(media.store.get()).toMatchObject({ camera: undefined, cameraProblem: 'busy', isAsking: false })
  expect(asked.length).toBeLessThan(7)
})

test('a camera that is turned off while another one does not open stays off', async () => {
  busy = ['rear camera']
  void media.choose('camera', 'rear camera')
  await vi.advanceTimersByTimeAsync(250)
  void media.setCamera(false)
  await vi.advanceTimersByTimeAsync(1000)
  expect(media.store.get()).toMatchObject({ camera: undefined, cameraProblem: undefined, isCameraOn: false })
  expect(given.filter(({ kind, readyState }) => kind === 'video' && readyState === 'live')).toEqual([])
})

test.each([
  ['opens', []],
  ['does not open', ['old headset']],
])('a device that %s late leaves the one that was chosen after it', async (_, gone) => {
  slow = ['old headset']
  absent = gone
  void media.choose('microphone', 'old headset')
  await vi.advanceTimersByTimeAsync(50)
  void media.choose('microphone', 'desk')
  await vi.advanceTimersByTimeAsync(100)
  const desk = given.at(-1)
  expect(media.store.get()).toMatchObject({ microphoneId: 'desk', isAsking: true })
  await vi.advanceTimersByTimeAsync(2000)
  expect(media.store.get()).toMatchObject({
    microphone: desk,
    microphoneId: 'desk',
    microphoneProblem: undefined,
    isAsking: false,
  })
  expect(given.filter(({ kind, readyState }) => kind === 'audio' && readyState === 'live')).toEqual([desk])
})

test('a microphone that is pulled out leaves its person muted, until they unmute', async () => {
  given[0]?.end()
  expect(media.store.get()).toMatchObject({ microphone: undefined, microphoneProblem: 'gone', isMuted: true })
  await show('hidden')
  await show('visible')
  expect(media.store.get().microphone).toBe(given[2])
  expect(media.store.get().isMuted).toBe(true)
})

test('a microphone that went while the page was hidden is heard again as before', async () => {
  await show('hidden')
  given[0]?.end()
  await show('visible')
  expect(media.store.get()).toMatchObject({ microphone: given[2], isMuted: false })
})

test('a chosen speaker that goes gives way to the one of the device', async () => {
  const speaker = (deviceId: string) => ({ kind: 'audiooutput' as const, deviceId, label: deviceId })
  const change = async (ids: string[]) => {
    listed = ids.map(speaker)
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'))
    await vi.advanceTimersByTimeAsync(0)
  }
  await change(['default', 'headset'])
  media.chooseSpeaker('headset')
  await change(['default', 'headset', 'screen'])
  expect(media.store.get().speakerId).toBe('headset')
  await change(['default', 'screen'])
  expect(media.store.get().speakerId).toBeUndefined()
})
