import { type Attempt, createAttempt } from './call-attempt.ts'
import { clientReceives, type Pairing, practitionerReceives, type Reception } from './call-pairing.ts'
import type { Body, CallOptions, CallState, Wire } from './call-types.ts'
import type { Frame } from './signal-stream.ts'
import { createStore } from './store.ts'

export type RoomCall = ReturnType<typeof createCall>

const helloEvery = 2000

/** A connection with the other person's device, which mends itself until it is closed. */
export function createCall(options: CallOptions) {
  const { side } = options
  const store = createStore<CallState>({
    phase: 'connecting',
    wasConnected: false,
    stream: undefined,
    other: undefined,
    words: undefined,
    isTampered: false,
    isWeak: false,
    isRelayDown: false,
    isSlow: false,
  })
  let { isRelayOnly, hasRelay } = options
  let isClosed = false
  let lastNumber = 0
  let pairing: Pairing =
    side === 'practitioner' ? { practitioner: next(), client: 0 } : { practitioner: 0, client: next() }
  let attempt = begin()

  /** Numbers rise across reloads of the page, too. */
  function next(): number {
    lastNumber = Math.max(Date.now(), lastNumber + 1)
    return lastNumber
  }

  function send(frame: Frame<Body>): void {
    if (!isClosed)
      options.send({
        kind: frame.body?.kind ?? 'ack',
        n: frame.n,
        data: { ...pairing, ...frame, isDirect: !isRelayOnly },
      })
  }

  function begin(): Attempt {
    return createAttempt({ ...options, isRelayOnly, store, send, onGivenUp: beginAgain, onTampered: end })
  }

  /** Gives the connection up and begins another, which the other side follows. */
  function beginAgain(): void {
    if (isClosed) return
    if (hasRelay) isRelayOnly = true
    pairing =
      side === 'practitioner' ? { ...pairing, practitioner: next() } : { practitioner: 0, client: next() }
    replace()
  }

  function replace(): void {
    attempt.close()
    attempt = begin()
    hello()
  }

  /** Makes itself known to the practitioner's side, which makes the offer. */
  function hello(): void {
    if (side === 'client' && pairing.practitioner === 0) send({ n: 0, ack: 0 })
  }
  const helloTimer = setInterval(hello, helloEvery)
  hello()

  function end(): void {
    store.set({ isTampered: true })
    close()
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    clearInterval(helloTimer)
    attempt.close()
  }

  return {
    store,
    close,

    /** Takes a signal of the other person's device. */
    receive(data: unknown): void {
      if (isClosed || !isWire(data)) return
      if (side === 'practitioner' && data.isDirect && isRelayOnly && options.mayGoDirect) {
        isRelayOnly = false
        hasRelay = false
        pairing = { practitioner: next(), client: data.client }
        replace()
        return
      }
      const before = pairing
      const reception: Reception =
        side === 'practitioner'
          ? practitionerReceives(pairing, data, Math.max(Date.now(), lastNumber + 1))
          : clientReceives(pairing, data)
      pairing = reception.pairing
      if (reception.act === 'begin' || reception.act === 'follow') {
        lastNumber = Math.max(lastNumber, pairing[side])
        replace()
      } else if (before.client !== pairing.client) attempt.flush()
      if (reception.act === 'take' || reception.act === 'follow') attempt.receive(data)
    },

    /** The socket is back: what was lost meanwhile goes out at once. */
    wayIsOpen(): void {
      hello()
      attempt.wayIsOpen()
    },

    /** The camera may be used again. */
    networkIsFine(): void {
      attempt.networkIsFine()
      store.set({ isWeak: false })
    },
  }
}

function isWire(data: unknown): data is Wire {
  if (typeof data !== 'object' || data === null) return false
  const { practitioner, client, n, ack } = data as Record<string, unknown>
  return [practitioner, client, n, ack].every((each) => typeof each === 'number')
}
