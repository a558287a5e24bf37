import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'

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
    const time = now.getTime().toString(16).padStart(12, '0')
    // Its random digits; the platform draws those of many at a time.
    return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
  },
  secret: () => randomBytes(32).toString('base64url'),
  code: (length) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join(''),
}

/** What is stored of a secret: its SHA-256. The secret has 256 bits, so it needs no salt. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
