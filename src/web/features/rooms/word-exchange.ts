import { commitmentOf, fromHex, toHex, verificationWords, type WordShare } from './verification-words.ts'

/** The practitioner commits, the client reveals, the practitioner reveals. */
export type WordSignal = { kind: 'commit'; commitment: string } | { kind: 'reveal'; nonce: string }

type Options = {
  appointmentId: string
  /** The practitioner's side commits before it knows anything of the other side. */
  side: 'practitioner' | 'client'
  /** Of the own certificate. */
  fingerprint: Uint8Array
  /** Random, 32 bytes, for this connection alone. */
  nonce: Uint8Array
  send(signal: WordSignal): void
  onWords(words: string[]): void
  /** The other side changed its mind or revealed what it had not committed to. There is no second try. */
  onMismatch(): void
}

/**
 * Agrees on the verification words of one connection. The commitment is what leaves a party in between one guess in 2^44:
 * without it, that party would search for a certificate that makes the same words.
 */
export function exchangeWords({
  appointmentId,
  side,
  fingerprint,
  nonce,
  send,
  onWords,
  onMismatch,
}: Options) {
  const own: WordShare = { fingerprint, nonce }
  let theirCommitment: string | undefined
  let theirNonce: string | undefined
  let theirFingerprint: Uint8Array | undefined
  let isAgreed = false
  let isRefused = false

  function refuse(): void {
    if (isRefused) return
    isRefused = true
    onMismatch()
  }

  async function finish(): Promise<void> {
    if (isRefused || isAgreed || theirNonce === undefined || !theirFingerprint) return
    const theirs: WordShare = { fingerprint: theirFingerprint, nonce: fromHex(theirNonce) }
    if (side === 'client' && toHex(await commitmentOf(theirs)) !== theirCommitment) return refuse()
    const words = await (side === 'practitioner'
      ? verificationWords(appointmentId, own, theirs)
      : verificationWords(appointmentId, theirs, own))
    // The other share may have been refused meanwhile.
    // oxlint-disable-next-line typescript/no-unnecessary-condition -- changed by another call
    if (isRefused) return
    isAgreed = true
    onWords(words)
  }

  return {
    async start(): Promise<void> {
      if (side === 'practitioner') send({ kind: 'commit', commitment: toHex(await commitmentOf(own)) })
    },

    async receive(signal: WordSignal): Promise<void> {
      if (signal.kind === 'commit') {
        if (side === 'practitioner') return refuse()
        if (theirCommitment !== undefined) {
          if (theirCommitment !== signal.commitment) refuse()
          return
        }
        theirCommitment = signal.commitment
        send({ kind: 'reveal', nonce: toHex(nonce) })
        return
      }
      if (theirNonce !== undefined) {
        if (theirNonce !== signal.nonce) refuse()
        return
      }
      // A nonce that is known before the commitment could have been chosen to suit.
      if (side === 'client' && theirCommitment === undefined) return refuse()
      try {
        fromHex(signal.nonce)
      } catch {
        return refuse()
      }
      theirNonce = signal.nonce
      if (side === 'practitioner') send({ kind: 'reveal', nonce: toHex(nonce) })
      await finish()
    },

    /**
     * Of the certificate that the connection is made with, as the connection has it; never as a signal says. To be called
     * again for as long as the connection lasts: one that changes its certificate is refused, also after the words.
     */
    async connectedTo(remoteFingerprint: Uint8Array): Promise<void> {
      if (theirFingerprint) {
        if (toHex(theirFingerprint) !== toHex(remoteFingerprint)) refuse()
        return
      }
      theirFingerprint = remoteFingerprint
      await finish()
    },
  }
}
