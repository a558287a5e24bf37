import { type CameraProblem, type MediaProblem, problemOf } from './media-problems.ts'
import { createStore, type Store } from './store.ts'

export type Device = { id: string; label: string }

export type OwnMediaState = {
  /** Undefined while it is not in use. */
  microphone: MediaStreamTrack | undefined
  camera: MediaStreamTrack | undefined
  microphoneProblem: MediaProblem | undefined
  cameraProblem: CameraProblem | undefined
  isAsking: boolean
  isMuted: boolean
  /** Wanted by the person; `camera` may still be missing. */
  isCameraOn: boolean
  microphones: readonly Device[]
  cameras: readonly Device[]
  speakers: readonly Device[]
  microphoneId: string | undefined
  cameraId: string | undefined
  speakerId: string | undefined
}

export type OwnMedia = ReturnType<typeof createOwnMedia>

type Kind = 'microphone' | 'camera'

const videoSize = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } }

const shortestPatience = 5000
const longestPatience = 60_000

/** Microphone and camera of this device. What it takes is released by `close`. */
export function createOwnMedia(first: { isMuted: boolean; isCameraOn: boolean }) {
  const store: Store<OwnMediaState> = createStore<OwnMediaState>({
    microphone: undefined,
    camera: undefined,
    microphoneProblem: undefined,
    cameraProblem: undefined,
    isAsking: false,
    ...first,
    microphones: [],
    cameras: [],
    speakers: [],
    microphoneId: undefined,
    cameraId: undefined,
    speakerId: undefined,
  })
  let isClosed = false
  let isInUse = false
  /** The camera that opened last. One that is chosen in its place may not open. */
  let formerCameraId: string | undefined
  /** How long a track that is muted from the start may stay so, in milliseconds. */
  const patience: Record<Kind, number> = { microphone: shortestPatience, camera: shortestPatience }
  /** The newest question for a device of each kind: an earlier one may be answered after it. */
  const newest: Record<Kind, number> = { microphone: 0, camera: 0 }
  let questions = 0
  let openQuestions = 0

  function constraintsOf(kind: Kind): MediaTrackConstraints {
    const { microphoneId, cameraId } = store.get()
    if (kind === 'camera') return { ...videoSize, ...(cameraId && { deviceId: { exact: cameraId } }) }
    return {
      echoCancellation: true,
      noiseSuppression: true,
      autoGainControl: true,
      ...(microphoneId && { deviceId: { exact: microphoneId } }),
    }
  }

  const isWanted = (kind: Kind): boolean =>
    isInUse && !isClosed && (kind === 'microphone' || store.get().isCameraOn)
  /** The person may have left, turned the camera off or chosen another device while the browser asked. */
  const isStillWanted = (kind: Kind, question: number): boolean => isWanted(kind) && newest[kind] === question

  /** Asks the browser for devices: both in one question where both are wanted. */
  async function take(asked: readonly Kind[]): Promise<void> {
    const kinds = asked.filter(isWanted)
    if (kinds.length === 0) return
    // oxlint-disable-next-line typescript/no-unnecessary-condition -- missing where the page is not secure
    if (!navigator.mediaDevices) {
      for (const kind of kinds) fail(kind, 'unsupported')
      return
    }
    const question = ++questions
    for (const kind of kinds) newest[kind] = question
    openQuestions += 1
    store.set({ isAsking: true })
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        ...(kinds.includes('microphone') && { audio: constraintsOf('microphone') }),
        ...(kinds.includes('camera') && { video: constraintsOf('camera') }),
      })
      for (const track of stream.getTracks()) {
        const kind = track.kind === 'audio' ? 'microphone' : 'camera'
        if (isStillWanted(kind, question)) use(kind, track)
        else track.stop()
      }
    } catch (error) {
      const wanted = kinds.filter((kind) => isStillWanted(kind, question))
      // One of the two may be there all the same.
      if (kinds.length > 1) for (const kind of wanted) await take([kind])
      else for (const kind of wanted) await takeFailed(kind, error)
    } finally {
      openQuestions -= 1
      store.set({ isAsking: openQuestions > 0 })
      await listDevices()
    }
  }

  async function takeFailed(kind: Kind, error: unknown): Promise<void> {
    const problem = problemOf(error)
    const chosen = kind === 'camera' ? 'cameraId' : 'microphoneId'
    // The chosen device is not there any more; another one may do.
    if (problem === 'absent' && store.get()[chosen] !== undefined) {
      store.set({ [chosen]: undefined })
      return take([kind])
    }
    if (problem === 'busy' && kind === 'camera' && (await tookFormer())) return
    fail(kind, problem)
  }

  /**
   * After a chosen camera was busy: tries it once more without the one in use, since many phones open one camera at a
   * time, then takes the former one again. Returns whether that applied.
   */
  async function tookFormer(): Promise<boolean> {
    const { camera, cameraId } = store.get()
    const formerId = formerCameraId
    if (!cameraId || !formerId || cameraId === formerId) return false
    if (camera) {
      release('camera')
      await take(['camera'])
      return true
    }
    store.set({ cameraId: formerId })
    await take(['camera'])
    const now = store.get()
    if (now.camera && now.cameraId === formerId) store.set({ cameraProblem: 'kept' })
    return true
  }

  function fail(kind: Kind, problem: MediaProblem): void {
    release(kind)
    store.set(kind === 'camera' ? { cameraProblem: problem } : { microphoneProblem: problem })
  }

  function use(kind: Kind, track: MediaStreamTrack): void {
    release(kind)
    track.addEventListener('ended', () => {
      if (store.get()[kind] !== track) return
      // Pulled out before a person's eyes: they read that they are muted, and are heard once they unmute.
      if (kind === 'microphone' && document.visibilityState === 'visible') store.set({ isMuted: true })
      fail(kind, 'gone')
    })
    track.addEventListener('mute', () => void renewLater(kind, track, 1000))
    if (track.muted) {
      // Such as during a phone call, which ends without an event.
      void renewLater(kind, track, patience[kind])
      patience[kind] = Math.min(longestPatience, patience[kind] * 2)
    } else {
      patience[kind] = shortestPatience
    }
    const deviceId = track.getSettings().deviceId
    if (kind === 'camera') formerCameraId = deviceId
    store.set(
      kind === 'camera'
        ? { camera: track, cameraProblem: undefined, cameraId: deviceId }
        : { microphone: track, microphoneProblem: undefined, microphoneId: deviceId },
    )
  }

  function release(kind: Kind): void {
    const track = store.get()[kind]
    store.set({ [kind]: undefined })
    track?.stop()
  }

  /** Phones take the devices away for a call or in the background, and some do not give them back. */
  async function renewLater(kind: Kind, track: MediaStreamTrack, milliseconds: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    if (store.get()[kind] !== track || !track.muted) return
    // Such as for the other device, which went at the same time.
    if (store.get().isAsking) return renewLater(kind, track, 1000)
    await renew(kind)
  }

  /** Takes a device again that is in use. In the background the browser would refuse it. */
  async function renew(kind: Kind): Promise<void> {
    if (document.visibilityState === 'visible' && store.get()[kind] && !store.get().isAsking)
      await take([kind])
  }

  async function listDevices(): Promise<void> {
    const devices = await navigator.mediaDevices?.enumerateDevices().catch(() => [])
    if (isClosed || !devices) return
    const listed = (kind: MediaDeviceKind) =>
      devices
        .filter((device) => device.kind === kind && device.deviceId !== '')
        .map(({ deviceId, label }, index) => ({
          id: deviceId,
          label: label || `${nameOf[kind]} ${index + 1}`,
        }))
    const speakers = listed('audiooutput')
    const { speakerId } = store.get()
    store.set({
      microphones: listed('audioinput'),
      cameras: listed('videoinput'),
      speakers,
      // One that has gone leaves silence in some browsers: the device's own takes its place.
      speakerId: speakers.some(({ id }) => id === speakerId) ? speakerId : undefined,
    })
  }

  /** Takes again what has stopped while the page was away, and what another app had that may be closed by now. */
  async function revive(): Promise<void> {
    if (document.visibilityState === 'hidden' || !isInUse || store.get().isAsking) return
    const { microphone, camera, isCameraOn, microphoneProblem, cameraProblem } = store.get()
    const isDead = (track: MediaStreamTrack | undefined, problem: CameraProblem | undefined) =>
      track ? track.readyState === 'ended' || track.muted : problem === 'gone' || problem === 'busy'
    const kinds: Kind[] = []
    if (isDead(microphone, microphoneProblem)) kinds.push('microphone')
    if (isCameraOn && isDead(camera, cameraProblem)) kinds.push('camera')
    await take(kinds)
  }

  const onDevices = () => void listDevices()
  const onVisible = () => void revive()
  navigator.mediaDevices?.addEventListener('devicechange', onDevices)
  document.addEventListener('visibilitychange', onVisible)

  return {
    store,

    /** Takes the microphone, and the camera if it is wanted. */
    async start(): Promise<void> {
      isInUse = true
      const { isCameraOn } = store.get()
      await take(isCameraOn ? ['microphone', 'camera'] : ['microphone'])
    },

    renew,

    /** Takes a device again that could not be used. */
    async retry(kind: Kind): Promise<void> {
      if (kind === 'camera') store.set({ isCameraOn: true })
      await take([kind])
    },

    /** Keeps off what a person goes in without, until they turn it on. What they are being asked for is open. */
    goWithout(): void {
      const { camera, isCameraOn, microphoneProblem, isAsking } = store.get()
      if (isAsking) return
      if (microphoneProblem) store.set({ isMuted: true })
      if (isCameraOn && !camera) store.set({ isCameraOn: false, cameraProblem: undefined })
    },

    setMuted(isMuted: boolean): void {
      store.set({ isMuted })
    },

    /** Off means that the device itself is off, with its light. */
    async setCamera(isOn: boolean): Promise<void> {
      store.set({ isCameraOn: isOn, cameraProblem: undefined })
      if (!isOn) return release('camera')
      await take(['camera'])
    },

    async choose(kind: Kind, id: string): Promise<void> {
      store.set(kind === 'camera' ? { cameraId: id } : { microphoneId: id })
      if (kind === 'microphone' || store.get().isCameraOn) await take([kind])
    },

    chooseSpeaker(id: string): void {
      store.set({ speakerId: id })
    },

    /** Frees microphone and camera for another page or app, until the person turns them on again. */
    free(): void {
      for (const kind of ['microphone', 'camera'] as const) {
        newest[kind] = ++questions
        release(kind)
      }
      store.set({ isMuted: true, isCameraOn: false, microphoneProblem: undefined, cameraProblem: undefined })
    },

    /** Gives microphone and camera back until `start`. */
    rest(): void {
      isInUse = false
      release('microphone')
      release('camera')
    },

    close(): void {
      isClosed = true
      navigator.mediaDevices?.removeEventListener('devicechange', onDevices)
      document.removeEventListener('visibilitychange', onVisible)
      release('microphone')
      release('camera')
    },
  }
}

const nameOf: Record<MediaDeviceKind, string> = {
  audioinput: 'Microphone',
  videoinput: 'Camera',
  audiooutput: 'Speaker',
}
