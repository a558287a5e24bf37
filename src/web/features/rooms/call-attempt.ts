import type { Body, CallOptions, CallState } from './call-types.ts'
import { fingerprintOf, remoteFingerprint } from './certificates.ts'
import { createMender } from './mending.ts'
import { negotiate } from './perfect-negotiation.ts'
import { type TrackWatch, watchTracks } from './quiet-tracks.ts'
import { createSignalStream, type Frame } from './signal-stream.ts'
import type { Store } from './store.ts'
import { fingerprintBytes } from './verification-words.ts'
import { networkAfter, sampleOf, type Statistic, steadyNetwork } from './weak-network.ts'
import { exchangeWords } from './word-exchange.ts'

/** Disconnected for this long counts as lost. */
const lostAfter = 3000
/** After this long without a connection another one is begun. */
const giveUpAfter = 15_000
const slowAfter = 15_000
/** A connection that has been begun for less than this has lost nothing yet. */
const newFor = 3000
/** The words need a few signals more than the connection. */
const wordsAfter = 10_000
const sampleEvery = 2000
/** Browsers find out only by sending how much a connection carries. */
const settlesWithin = 6000
const maxVideoBitrate = 1_200_000

export type Attempt = ReturnType<typeof createAttempt>

type AttemptOptions = Omit<CallOptions, 'send'> & {
  store: Store<CallState>
  send(frame: Frame<Body>): void
  onGivenUp(): void
  onTampered(): void
}

/** One peer connection, until it is given up. */
export function createAttempt(options: AttemptOptions) {
  const { appointmentId, side, media, store, servers, isRelayOnly } = options
  const makesFirstOffer = side === 'practitioner'
  const stream = createSignalStream<Body>({
    send: options.send,
    deliver: (body) => {
      if (isClosed) return
      if (body.kind === 'commit' || body.kind === 'reveal') queueWords((exchange) => exchange.receive(body))
      else void ready.then(({ take }) => take(body))
    },
  })
  let isClosed = false
  let network = steadyNetwork
  let sampledAt = 0
  let connectedAt = 0
  let tracks: TrackWatch | undefined
  const begunAt = Date.now()
  let stateChannel: RTCDataChannel | undefined
  const senders: Partial<Record<'audio' | 'video', RTCRtpSender>> = {}
  const timers = {
    lost: undefined as ReturnType<typeof setTimeout> | undefined,
    giveUp: undefined as ReturnType<typeof setTimeout> | undefined,
    slow: undefined as ReturnType<typeof setTimeout> | undefined,
    words: undefined as ReturnType<typeof setTimeout> | undefined,
    sample: undefined as ReturnType<typeof setInterval> | undefined,
  }
  timers.slow = setTimeout(() => {
    store.set({ isSlow: true })
    giveUpLater()
  }, slowAfter)
  store.set({
    picture: undefined,
    sound: undefined,
    words: undefined,
    areWordsMissing: false,
    other: undefined,
    phase: nextPhase(),
  })
  if (store.get().wasConnected) giveUpLater()

  function nextPhase(): CallState['phase'] {
    return store.get().wasConnected ? 'reconnecting' : 'connecting'
  }

  const ready = setUp()
  ready.catch((error: unknown) => report(error))
  const mender = createMender(() => void ready.then(({ connection }) => restart(connection)).catch(report))
  let words: Promise<unknown> = ready
  function queueWords(work: (exchange: ReturnType<typeof exchangeWords>) => Promise<void>): void {
    words = words
      .then(async () => {
        if (!isClosed) await work((await ready).exchange)
      })
      .catch(report)
  }

  async function setUp() {
    // One of its own for each connection, so that its fingerprint is known before anything is sent.
    const kind: EcKeyGenParams = { name: 'ECDSA', namedCurve: 'P-256' }
    const certificate = await RTCPeerConnection.generateCertificate(kind)
    const connection = new RTCPeerConnection({
      iceServers: servers,
      iceTransportPolicy: isRelayOnly ? 'relay' : 'all',
      bundlePolicy: 'max-bundle',
      certificates: [certificate],
    })
    if (isClosed) connection.close()
    let relayed = 0
    connection.addEventListener('track', ({ track }) => {
      store.set(track.kind === 'video' ? { picture: track } : { sound: track })
    })
    connection.addEventListener('connectionstatechange', () => follow(connection))
    connection.addEventListener('iceconnectionstatechange', () => follow(connection))
    connection.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate?.candidate) relayed += 1
    })
    connection.addEventListener('icegatheringstatechange', () => {
      const { iceGatheringState, connectionState } = connection
      if (iceGatheringState === 'gathering') relayed = 0
      if (iceGatheringState !== 'complete' || !isRelayOnly || connectionState === 'connected') return
      store.set({ isRelayDown: relayed === 0 })
      if (relayed === 0) lose()
    })
    const take = negotiate({
      connection,
      makesFirstOffer,
      send: (signal) => {
        if (!isClosed) stream.send(signal)
      },
      onFirstOffer: () => attach(connection),
      onError: report,
    })
    const exchange = exchangeWords({
      appointmentId,
      side,
      fingerprint: fingerprintBytes(await fingerprintOf(certificate)),
      nonce: crypto.getRandomValues(new Uint8Array(32)),
      send: (signal) => stream.send(signal),
      onWords: (four) => store.set({ words: four, areWordsMissing: false }),
      onMismatch: options.onTampered,
    })
    if (isClosed) return { connection, take, exchange }
    await exchange.start()
    // The first offer is the practitioner's; the client's transceivers come with it.
    if (makesFirstOffer) await attach(connection)
    return { connection, take, exchange }
  }

  /** Puts own tracks and the channel of states on a connection. Later changes replace tracks without negotiation. */
  async function attach(connection: RTCPeerConnection): Promise<void> {
    // Browsers keep a voice with its lips only where both tracks belong to one stream.
    const own = new MediaStream()
    if (makesFirstOffer) {
      for (const kind of ['audio', 'video'] as const) {
        senders[kind] = connection.addTransceiver(kind, { direction: 'sendrecv', streams: [own] }).sender
      }
    } else {
      for (const transceiver of connection.getTransceivers()) {
        transceiver.direction = 'sendrecv'
        // oxlint-disable-next-line typescript/no-unnecessary-condition -- not every browser has it
        transceiver.sender.setStreams?.(own)
        senders[transceiver.receiver.track.kind as 'audio' | 'video'] = transceiver.sender
      }
    }
    const channel = connection.createDataChannel('state', { negotiated: true, id: 0 })
    channel.addEventListener('open', tellState)
    channel.addEventListener('message', ({ data }) => hearState(data))
    stateChannel = channel
    await sendTracks()
  }

  async function sendTracks(): Promise<void> {
    const { microphone, camera, isMuted, isCameraOn } = media.store.get()
    await Promise.all([
      senders.audio?.replaceTrack(isMuted ? null : (microphone ?? null)),
      senders.video?.replaceTrack(isCameraOn ? (camera ?? null) : null),
    ])
  }

  const stopMedia = media.store.subscribe(() => {
    if (isClosed) return
    if (store.get().isWeak && media.store.get().isCameraOn) {
      network = steadyNetwork
      store.set({ isWeak: false })
    }
    void sendTracks().catch(report)
    tellState()
  })

  function tellState(): void {
    if (stateChannel?.readyState !== 'open') return
    const { isMuted, microphone, camera } = media.store.get()
    stateChannel.send(JSON.stringify({ isMuted: isMuted || !microphone, hasCamera: camera !== undefined }))
  }

  function hearState(data: unknown): void {
    try {
      const { isMuted, hasCamera } = JSON.parse(String(data)) as Record<string, unknown>
      store.set({ other: { isMuted: isMuted === true, hasCamera: hasCamera === true } })
    } catch {
      // A device that says something else says nothing.
    }
  }

  function follow(connection: RTCPeerConnection): void {
    if (isClosed) return
    const { connectionState } = connection
    if (connectionState === 'connected') {
      mender.stop()
      if (store.get().phase !== 'connected') connectedAt = Date.now()
      clearTimeout(timers.lost)
      clearTimeout(timers.giveUp)
      clearTimeout(timers.slow)
      timers.lost = undefined
      timers.giveUp = undefined
      if (timers.sample === undefined) {
        void limit(connection).catch(report)
        timers.sample = setInterval(() => void sample(connection).catch(report), sampleEvery)
        timers.words = setTimeout(() => {
          if (!store.get().words) store.set({ areWordsMissing: true })
        }, wordsAfter)
      }
      void sample(connection).catch(report)
      store.set({ phase: 'connected', wasConnected: true, isRelayDown: false, isSlow: false })
    } else if (connectionState === 'disconnected') {
      timers.lost ??= setTimeout(lose, lostAfter)
    } else if (connectionState === 'failed') {
      lose()
      mender.now()
    }
  }

  function lose(): void {
    if (isClosed) return
    store.set({ phase: nextPhase() })
    mender.start()
    giveUpLater()
  }

  function restart(connection: RTCPeerConnection): void {
    if (!isClosed && connection.signalingState !== 'closed') connection.restartIce()
  }

  function giveUpLater(): void {
    timers.giveUp ??= setTimeout(options.onGivenUp, giveUpAfter)
  }

  /** Audio before video, and video no larger than it needs to be. */
  async function limit(connection: RTCPeerConnection): Promise<void> {
    for (const sender of connection.getSenders()) {
      const parameters = sender.getParameters() as RTCRtpSendParameters & { degradationPreference?: string }
      const [encoding] = parameters.encodings
      if (!encoding) continue
      if (sender === senders.audio) {
        encoding.priority = 'high'
        encoding.networkPriority = 'high'
      } else {
        encoding.maxBitrate = maxVideoBitrate
        parameters.degradationPreference = 'balanced'
      }
      await sender.setParameters(parameters)
    }
  }

  async function sample(connection: RTCPeerConnection): Promise<void> {
    if (connection.connectionState !== 'connected') return
    const report = (await connection.getStats()) as unknown as Map<string, Statistic>
    const fingerprint = await remoteFingerprint(connection, report)
    if (isClosed) return
    if (fingerprint) queueWords((exchange) => exchange.connectedTo(fingerprint))
    const at = Date.now()
    await Promise.all([followNetwork(report, at), followTracks(report, at)])
  }

  /** Turns the own camera off where the network cannot carry it. */
  async function followNetwork(report: Map<string, Statistic>, at: number): Promise<void> {
    const hasSettled = at - connectedAt > settlesWithin
    network = hasSettled
      ? networkAfter(network, sampleOf(report.values(), at), sampledAt || at)
      : steadyNetwork
    sampledAt = at
    if (!network.isWeak || !media.store.get().isCameraOn) return
    network = steadyNetwork
    store.set({ isWeak: true })
    await media.setCamera(false)
  }

  /** Takes devices again that have gone quiet. A hidden page would not get them, and looks anew once it is seen. */
  async function followTracks(report: Map<string, Statistic>, at: number): Promise<void> {
    if (document.visibilityState === 'hidden') {
      tracks = undefined
      return
    }
    const { watch, quiet } = watchTracks(tracks, report.values(), at)
    tracks = watch
    for (const kind of quiet) await media.renew(kind === 'audio' ? 'microphone' : 'camera')
  }

  function report(error: unknown): void {
    if (!isClosed) reportError(error)
  }

  return {
    receive(frame: Frame<Body>): void {
      stream.receive(frame)
    },
    flush: () => stream.flush(),

    /** Signals pass again. */
    wayIsOpen(): void {
      stream.flush()
      void ready
        .then(({ connection }) => {
          if (isClosed) return
          if (connection.connectionState !== 'connected' && Date.now() - begunAt > newFor) mender.now()
        })
        .catch(report)
    },

    /** The device has another network. A connection that still stands finds a better way. */
    networkHasChanged(): void {
      void ready
        .then(({ connection }) => {
          if (isClosed) return
          if (connection.connectionState === 'connected') restart(connection)
          else if (Date.now() - begunAt > newFor) mender.now()
        })
        .catch(report)
    },

    close(): void {
      if (isClosed) return
      isClosed = true
      stopMedia()
      mender.stop()
      stream.end()
      for (const timer of Object.values(timers)) clearTimeout(timer)
      void ready.then(({ connection }) => connection.close()).catch(() => undefined)
      store.set({ picture: undefined, sound: undefined })
    },
  }
}
