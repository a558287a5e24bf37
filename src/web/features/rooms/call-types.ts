import type { Pairing } from './call-pairing.ts'
import type { OwnMedia } from './own-media.ts'
import type { NegotiationSignal } from './perfect-negotiation.ts'
import type { Frame } from './signal-stream.ts'
import type { WordSignal } from './word-exchange.ts'

export type Body = NegotiationSignal | WordSignal

/** What goes over the socket to the other person's device. */
export type CallSignal = { kind: Body['kind'] | 'ack' | 'bye'; n: number; data: unknown }
export type Wire = Pairing &
  Frame<Body> & {
    /** The client has chosen to connect without the relay. */
    isDirect?: boolean
    /** The other side has refused a reveal or a certificate, and has ended the call. */
    isTampered?: boolean
  }

export type CallState = {
  phase: 'connecting' | 'connected' | 'reconnecting'
  /** It has been connected before. */
  wasConnected: boolean
  /** What the other sends, or may send. Each stays the same object for a connection. */
  picture: MediaStreamTrack | undefined
  sound: MediaStreamTrack | undefined
  /** As the other's device says over the connection; undefined before it has. */
  other: { isMuted: boolean; hasCamera: boolean } | undefined
  words: readonly string[] | undefined
  /** The connection has stood for some time without words. */
  areWordsMissing: boolean
  /** A reveal did not match: another party may sit in between, and the call has ended. */
  isTampered: boolean
  /** The own camera went off for a weak network, and was not turned on again. */
  isWeak: boolean
  /** The relay could not be reached, so that no connection can come about. */
  isRelayDown: boolean
  /** It takes longer than it should. */
  isSlow: boolean
}

export type CallOptions = {
  appointmentId: string
  side: 'practitioner' | 'client'
  servers: RTCIceServer[]
  /** The client has chosen to connect without the relay, so that neither of the next two is set. */
  isDirect: boolean
  isRelayOnly: boolean
  hasRelay: boolean
  /** The client may choose so, and the practitioner's side follows. */
  mayGoDirect: boolean
  media: OwnMedia
  send(signal: CallSignal): void
}
