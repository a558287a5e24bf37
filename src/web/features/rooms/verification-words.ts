import { wordList } from './word-list.ts'

/** What one side of a connection puts into the words: the fingerprint of its certificate and a nonce, 32 bytes each. */
export type WordShare = { fingerprint: Uint8Array; nonce: Uint8Array }

const prefix = 'hearth-room-1'
const bitsPerWord = 11
const wordCount = 4

/**
 * The bytes of a SHA-256 fingerprint as SDP and `getStats` write it: 32 pairs of hex digits with colons.
 * @throws Error if it is not one
 */
export function fingerprintBytes(text: string): Uint8Array {
  const pairs = text.trim().split(':')
  if (pairs.length !== 32 || pairs.some((pair) => !/^[\da-f]{2}$/i.test(pair))) {
    throw new Error('Not the fingerprint of a certificate.')
  }
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
}

/** The fingerprint of a description's certificate; undefined if it names none by SHA-256. */
export function fingerprintIn(sdp: string): string | undefined {
  return /^a=fingerprint:sha-256 ([\da-f:]+)\s*$/im.exec(sdp)?.[1]
}

/** What the practitioner's side sends before it knows anything of the other: SHA-256 of fingerprint and nonce. */
export function commitmentOf({ fingerprint, nonce }: WordShare): Promise<Uint8Array> {
  return sha256(fingerprint, nonce)
}

/**
 * The four words that both sides show: the first 44 bits of the hash of the session and of both shares. They differ where
 * another party sits between the two browsers.
 */
export async function verificationWords(
  appointmentId: string,
  practitioner: WordShare,
  client: WordShare,
): Promise<string[]> {
  const text = new TextEncoder()
  const hash = await sha256(
    text.encode(prefix),
    text.encode(appointmentId.toLowerCase()),
    practitioner.fingerprint,
    client.fingerprint,
    practitioner.nonce,
    client.nonce,
  )
  return wordsOfBits(hash)
}

/** The words that the first 44 bits stand for. */
export function wordsOfBits(bytes: Uint8Array): string[] {
  let bits = 0n
  for (const byte of bytes.subarray(0, 6)) bits = (bits << 8n) | BigInt(byte)
  return Array.from({ length: wordCount }, (_, index) => {
    const shift = BigInt(48 - bitsPerWord * (index + 1))
    return wordList[Number((bits >> shift) & 0x7ffn)] ?? ''
  })
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** @throws Error if it is not 32 bytes in hex digits */
export function fromHex(text: unknown): Uint8Array {
  if (typeof text !== 'string' || !/^[\da-f]{64}$/.test(text)) throw new Error('Not 32 bytes.')
  return Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(text.slice(2 * index, 2 * index + 2), 16),
  )
}

async function sha256(...parts: Uint8Array[]): Promise<Uint8Array> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', whole))
}
