import { serverNow } from '#web/lib/clock.ts'
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
    picture: undefined,
    sound: undefined,
    other: undefined,
    words: undefined,
    areWordsMissing: false,
    isTampered: false,
    isWeak: false,
    isRelayDown: false,
    isSlow: false,
  })
  let { isDirect, isRelayOnly, hasRelay } = options
  let isClosed = false
  let lastNumber = 0
  let pairing: Pairing =
    side === 'practitioner' ? { practitioner: next(), client: 0 } : { practitioner: 0, client: next() }
  let attempt = begin()

  /** Numbers rise across reloads of the page, too, also where the clock of the device is set back. */
  function next(): number {
    lastNumber = Math.max(serverNow(), lastNumber + 1)
    return lastNumber
  }

  function send(frame: Frame<Body>): void {
    if (!isClosed)
      options.send({
        kind: frame.body?.kind ?? 'ack',
        n: frame.n,
        data: { ...pairing, ...frame, isDirect },
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

  /** Follows the client, who chooses whether to connect directly. Returns whether that has changed. */
  function wantsAnotherWay(data: Wire): boolean {
    const wanted = data.isDirect === true && options.mayGoDirect
    if (wanted === isDirect) return false
    isDirect = wanted
    isRelayOnly = options.isRelayOnly && !isDirect
    hasRelay = options.hasRelay && !isDirect
    return true
  }

  /** Ends the call for both sides, which each explain why. */
  function end(): void {
    options.send({ kind: 'bye', n: 0, data: { ...pairing, n: 0, ack: 0, isTampered: true } })
    endHere()
  }

  function endHere(): void {
    close()
    store.set({ isTampered: true, phase: 'connecting', other: undefined, words: undefined })
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
      if (data.isTampered) {
        if (data.practitioner === pairing.practitioner && data.client === pairing.client) endHere()
        return
      }
      if (side === 'practitioner' && data.client >= pairing.client && wantsAnotherWay(data)) {
        pairing = { practitioner: next(), client: data.client }
        replace()
        return
      }
      const before = pairing
      const reception: Reception =
        side === 'practitioner'
          ? practitionerReceives(pairing, data, Math.max(serverNow(), lastNumber + 1))
          : clientReceives(pairing, data)
      pairing = reception.pairing
      const isReplaced = reception.act === 'begin' || reception.act === 'follow'
      if (isReplaced) {
        lastNumber = Math.max(lastNumber, pairing[side])
        replace()
      }
      if (reception.act === 'take' || reception.act === 'follow') attempt.receive(data)
      if (!isReplaced && before.client !== pairing.client) attempt.flush()
    },

    /** The socket is there, or back: what was lost meanwhile goes out at once. */
    wayIsOpen(): void {
      hello()
      attempt.wayIsOpen()
    },

    /** The device has another network. */
    networkHasChanged: () => attempt.networkHasChanged(),
  }
}

function isWire(data: unknown): data is Wire {
  if (typeof data !== 'object' || data === null) return false
  const { practitioner, client, n, ack } = data as Record<string, unknown>
  return [practitioner, client, n, ack].every((each) => typeof each === 'number')
}
