import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { negotiate, type NegotiationSignal } from './perfect-negotiation.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/**
 * The states of a connection as the specification has them, without media: a description takes a moment, an offer in an
 * offer is rolled back, a candidate before its description throws.
 */
class FakeConnection extends EventTarget {
  signalingState: RTCSignalingState = 'stable'
  remoteDescription: RTCSessionDescriptionInit | null = null
  localDescription: (RTCSessionDescriptionInit & { toJSON(): RTCSessionDescriptionInit }) | null = null
  candidates: unknown[] = []
  rollbacks = 0
  name: string
  constructor(name: string) {
    super()
    this.name = name
  }

  async setLocalDescription() {
    await moment()
    const type = this.signalingState === 'have-remote-offer' ? 'answer' : 'offer'
    this.signalingState = type === 'answer' ? 'stable' : 'have-local-offer'
    const description = { type, sdp: `${type} of ${this.name}` } as const
    this.localDescription = { ...description, toJSON: () => description }
  }

  async setRemoteDescription(description: RTCSessionDescriptionInit) {
    await moment()
    if (description.type === 'offer') {
      if (this.signalingState === 'have-local-offer') this.rollbacks += 1
      this.signalingState = 'have-remote-offer'
    } else {
      if (this.signalingState !== 'have-local-offer') throw new Error('InvalidStateError')
      this.signalingState = 'stable'
    }
    this.remoteDescription = description
  }

  async addIceCandidate(candidate: unknown) {
    await moment()
    if (!this.remoteDescription) throw new Error('InvalidStateError')
    this.candidates.push(candidate)
  }

  need() {
    this.dispatchEvent(new Event('negotiationneeded'))
  }
}

const moment = () => new Promise((resolve) => setTimeout(resolve, 1))

function twoSides() {
  const errors: unknown[] = []
  const sent: string[] = []
  const side = (name: string, isPolite: boolean, other: () => (signal: NegotiationSignal) => void) => {
    const connection = new FakeConnection(name)
    const onFirstOffer = vi.fn()
    const receive = negotiate({
      connection: connection as unknown as RTCPeerConnection,
      isPolite,
      send(signal) {
        sent.push(signal.kind === 'description' ? `${signal.description.sdp}` : 'candidate')
        setTimeout(() => other()(signal), 5)
      },
      onFirstOffer,
      onError: (error) => errors.push(error),
    })
    return { connection, receive, onFirstOffer }
  }
  const impolite = side('impolite', false, () => polite.receive)
  const polite = side('polite', true, () => impolite.receive)
  return { impolite, polite, errors, sent }
}

test('the impolite side offers, and the polite one attaches its tracks once and answers', async () => {
  const { impolite, polite, errors, sent } = twoSides()
  polite.connection.need()
  impolite.connection.need()
  await vi.advanceTimersByTimeAsync(50)
  impolite.connection.need()
  await vi.advanceTimersByTimeAsync(50)
  expect(sent).toEqual(['offer of impolite', 'answer of polite', 'offer of impolite', 'answer of polite'])
  expect(polite.onFirstOffer).toHaveBeenCalledTimes(1)
  expect(impolite.onFirstOffer).not.toHaveBeenCalled()
  expect(errors).toEqual([])
})

test('where both offer at once, the offer of the impolite side is answered', async () => {
  const { impolite, polite, errors } = twoSides()
  impolite.connection.need()
  await vi.advanceTimersByTimeAsync(50)
  impolite.connection.need()
  polite.connection.need()
  await vi.advanceTimersByTimeAsync(50)
  for (const { connection } of [impolite, polite]) expect(connection.signalingState).toBe('stable')
  expect(polite.connection.rollbacks).toBe(1)
  expect(impolite.connection.rollbacks).toBe(0)
  expect(polite.connection.localDescription?.sdp).toBe('answer of polite')
  expect(errors).toEqual([])
})

test('candidates are added after the description that they belong to, and those of an ignored offer are dropped', async () => {
  const { impolite, polite, errors } = twoSides()
  polite.receive({ kind: 'description', description: { type: 'offer', sdp: 'first' } })
  polite.receive({ kind: 'candidate', candidate: { candidate: 'a' } })
  await vi.advanceTimersByTimeAsync(50)
  expect(polite.connection.candidates).toEqual([{ candidate: 'a' }])

  impolite.connection.need()
  await vi.advanceTimersByTimeAsync(2)
  impolite.receive({ kind: 'description', description: { type: 'offer', sdp: 'at the same time' } })
  impolite.receive({ kind: 'candidate', candidate: { candidate: 'b' } })
  await vi.advanceTimersByTimeAsync(50)
  expect(impolite.connection.candidates).toEqual([])
  expect(errors.filter((error) => !/InvalidStateError/.test(String(error)))).toEqual([])
})
