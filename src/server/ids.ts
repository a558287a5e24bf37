import { createHash, randomBytes, randomInt } from 'node:crypto'

/** Where ids and secrets come from. */
export type Random = {
  /** A UUID of version 7: unique, and close in the index to those made about the same time. */
  uuid(now: Date): string
  /** 256 bits as URL-safe text. */
  secret(): string
  /** `length` characters from an alphabet without look-alikes, for people to read and type. */
  code(length: number): string
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const systemRandom: Random = {
  uuid(now) {
    const bytes = randomBytes(16)
    bytes.writeUIntBE(now.getTime(), 0, 6)
    bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
    bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
    const hex = bytes.toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  },
  secret: () => randomBytes(32).toString('base64url'),
  code: (length) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join(''),
}

/** What is stored of a secret: its SHA-256. The secret has 256 bits, so it needs no salt. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
