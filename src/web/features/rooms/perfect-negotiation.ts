/** What two connections tell each other until media flows. */
export type NegotiationSignal =
  | { kind: 'description'; description: RTCSessionDescriptionInit }
  | { kind: 'candidate'; candidate: RTCIceCandidateInit }

type Options = {
  connection: RTCPeerConnection
  /**
   * The side that makes the first offer is the polite one, which gives way when both offer at once: Chromium (seen in 156)
   * shows no picture for good on a side that answered the first offer and takes an offer of its own back before
   * anything has arrived.
   */
  makesFirstOffer: boolean
  send(signal: NegotiationSignal): void
  /** Called before the answer to the first offer: the place to attach own tracks. */
  onFirstOffer(): Promise<void> | void
  onError(error: unknown): void
}

/**
 * Negotiates a connection by the pattern of perfect negotiation, from https://w3c.github.io/webrtc-pc/. Signals are handled
 * one after the other: a candidate that is added before the description it belongs to throws.
 * @returns the function that takes the other side's signals
 */
export function negotiate({ connection, makesFirstOffer, send, onFirstOffer, onError }: Options) {
  let isOffering = false
  let isSettingAnswer = false
  let isIgnoring = false
  let queue: Promise<void> = Promise.resolve()

  const sendDescription = () => {
    const { localDescription } = connection
    if (localDescription) send({ kind: 'description', description: localDescription.toJSON() })
  }

  connection.addEventListener('negotiationneeded', () => {
    if (!makesFirstOffer && !connection.remoteDescription) return
    void (async () => {
      try {
        isOffering = true
        await connection.setLocalDescription()
        sendDescription()
      } catch (error) {
        onError(error)
      } finally {
        isOffering = false
      }
    })()
  })
  connection.addEventListener('icecandidate', ({ candidate }) => {
    if (candidate) send({ kind: 'candidate', candidate: candidate.toJSON() })
  })

  async function take(signal: NegotiationSignal): Promise<void> {
    if (signal.kind === 'candidate') {
      try {
        await connection.addIceCandidate(signal.candidate)
      } catch (error) {
        if (!isIgnoring) throw error
      }
      return
    }
    const { description } = signal
    const isReady = !isOffering && (connection.signalingState === 'stable' || isSettingAnswer)
    isIgnoring = description.type === 'offer' && !isReady && !makesFirstOffer
    if (isIgnoring) return
    const isFirst = !connection.remoteDescription
    isSettingAnswer = description.type === 'answer'
    try {
      await connection.setRemoteDescription(description)
    } finally {
      isSettingAnswer = false
    }
    if (description.type !== 'offer') return
    if (isFirst) await onFirstOffer()
    await connection.setLocalDescription()
    sendDescription()
  }

  return (signal: NegotiationSignal): void => {
    queue = queue
      .then(() => (connection.signalingState === 'closed' ? undefined : take(signal)))
      .catch(onError)
  }
}
