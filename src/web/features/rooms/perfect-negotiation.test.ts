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
  candidates: RTCIceCandidateInit[] = []
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

  async addIceCandidate(candidate: RTCIceCandidateInit) {
    await moment()
    if (!this.remoteDescription?.sdp?.includes(candidate.usernameFragment ?? '')) {
      throw new Error('OperationError')
    }
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
  const side = (name: string, makesFirstOffer: boolean, other: () => (signal: NegotiationSignal) => void) => {
    const connection = new FakeConnection(name)
    const onFirstOffer = vi.fn()
    const receive = negotiate({
      connection: connection as unknown as RTCPeerConnection,
      makesFirstOffer,
      send(signal) {
        sent.push(signal.kind === 'description' ? `${signal.description.sdp}` : 'candidate')
        setTimeout(() => other()(signal), 5)
      },
      onFirstOffer,
      onError: (error) => errors.push(error),
    })
    return { connection, receive, onFirstOffer }
  }
  const offerer = side('offerer', true, () => answerer.receive)
  const answerer = side('answerer', false, () => offerer.receive)
  return { offerer, answerer, errors, sent }
}

test('one side makes the first offer, and the other attaches its tracks once and answers', async () => {
  const { offerer, answerer, errors, sent } = twoSides()
  answerer.connection.need()
  offerer.connection.need()
  await vi.advanceTimersByTimeAsync(50)
  offerer.connection.need()
  await vi.advanceTimersByTimeAsync(50)
  answerer.connection.need()
  await vi.advanceTimersByTimeAsync(50)
  expect(sent).toEqual([
    'offer of offerer',
    'answer of answerer',
    'offer of offerer',
    'answer of answerer',
    'offer of answerer',
    'answer of offerer',
  ])
  expect(answerer.onFirstOffer).toHaveBeenCalledTimes(1)
  expect(errors).toEqual([])
})

test('where both offer at once, the side that made the first offer takes its own back', async () => {
  const { offerer, answerer, errors } = twoSides()
  offerer.connection.need()
  await vi.advanceTimersByTimeAsync(50)
  offerer.connection.need()
  answerer.connection.need()
  await vi.advanceTimersByTimeAsync(50)
  for (const { connection } of [offerer, answerer]) expect(connection.signalingState).toBe('stable')
  expect(offerer.connection.rollbacks).toBe(1)
  expect(answerer.connection.rollbacks).toBe(0)
  expect(offerer.connection.localDescription?.sdp).toBe('answer of offerer')
  expect(answerer.onFirstOffer).toHaveBeenCalledTimes(1)
  expect(errors).toEqual([])
})

test('candidates are added after the description that they belong to, and those of an ignored offer are dropped', async () => {
  const { answerer, errors } = twoSides()
  const first = { candidate: 'a', usernameFragment: 'first' }
  answerer.receive({ kind: 'description', description: { type: 'offer', sdp: 'first' } })
  answerer.receive({ kind: 'candidate', candidate: first })
  await vi.advanceTimersByTimeAsync(50)
  expect(answerer.connection.candidates).toEqual([first])

  answerer.connection.need()
  await vi.advanceTimersByTimeAsync(2)
  answerer.receive({ kind: 'description', description: { type: 'offer', sdp: 'second' } })
  answerer.receive({ kind: 'candidate', candidate: { candidate: 'b', usernameFragment: 'second' } })
  await vi.advanceTimersByTimeAsync(50)
  expect(answerer.connection.candidates).toEqual([first])
  expect(answerer.connection.rollbacks).toBe(0)
  expect(answerer.connection.remoteDescription?.sdp).toBe('answer of offerer')
  // Its counterpart was never asked, and takes the answer for one to nothing.
  expect(errors.filter((error) => !/InvalidStateError/.test(String(error)))).toEqual([])
})
