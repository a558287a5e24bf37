import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
  randomFillSync,
} from 'node:crypto'
import { type Clock, minutes, systemClock } from '../../clock.ts'
import type { Secrets } from '../../secrets.ts'
import type { Place } from './chat.rules.ts'

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
/** One call for random bytes costs the same for many nonces as for one. */
const noncesAtOnce = 256
/** Keys that are kept opened: about a megabyte of them. */
const maxKeys = 5000
/** How long a key is kept opened. */
const keptFor = minutes(10)

/** A key, and the sealed form that it was opened from. */
type OpenedKey = { sealed: Uint8Array; key: KeyObject; expiresAt: number }

export type Encryption = ReturnType<typeof createEncryption>

/**
 * Messages are encrypted (AES-256-GCM) by a key of their dialog, and that key by one that is not in the database. A text
 * is bound to its dialog, message and sender, so that one put in another's row cannot be read. Opened keys stay in this
 * process for some minutes, outside the heap of JavaScript; OpenSSL overwrites them when it frees them.
 */
export function createEncryption(
  secrets: Secrets,
  { clock = systemClock, kept = maxKeys }: { clock?: Clock; kept?: number } = {},
) {
  /** By dialog, those opened longest ago first. */
  const opened = new Map<string, OpenedKey>()

  const nonces = createNonces()

  const dropExpired = (): void => {
    const now = clock.now().getTime()
    for (const [dialogId, { expiresAt }] of opened) {
      if (expiresAt > now) break
      opened.delete(dialogId)
    }
  }

  let timer: NodeJS.Timeout | undefined
  const dropInTime = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      dropExpired()
      if (opened.size > 0) dropInTime()
    }, keptFor).unref()
  }

  const keyOf = (dialogId: string, sealed: Uint8Array): KeyObject => {
    dropExpired()
    const known = opened.get(dialogId)
    if (known && Buffer.compare(known.sealed, sealed) === 0) return known.key
    const bytes = secrets.open('chat dialog key', dialogId, sealed)
    const key = createSecretKey(bytes)
    bytes.fill(0)
    opened.delete(dialogId)
    opened.set(dialogId, { sealed, key, expiresAt: clock.now().getTime() + keptFor })
    const [oldest] = opened.keys()
    if (opened.size > kept && oldest !== undefined) opened.delete(oldest)
    dropInTime()
    return key
  }

  return {
    /** A new key for a dialog, sealed as it is stored. */
    newKey: (dialogId: string): Buffer => secrets.seal('chat dialog key', dialogId, randomBytes(keyBytes)),

    /** The key of a dialog that has been opened here lately, sealed as it was then stored. */
    known(dialogId: string): Uint8Array | undefined {
      dropExpired()
      return opened.get(dialogId)?.sealed
    },

    encrypt(sealedKey: Uint8Array, place: Place, text: string): Buffer {
      const nonce = nonces.next()
      const cipher = createCipheriv('aes-256-gcm', keyOf(place.dialogId, sealedKey), nonce)
      cipher.setAAD(bound(place))
      const body = cipher.update(text, 'utf8')
      const rest = cipher.final()
      return Buffer.concat([nonce, cipher.getAuthTag(), body, rest])
    },

    /** @throws Error for what was changed, or belongs elsewhere */
    decrypt(sealedKey: Uint8Array, place: Place, bytes: Uint8Array): string {
      const decipher = createDecipheriv(
        'aes-256-gcm',
        keyOf(place.dialogId, sealedKey),
        bytes.subarray(0, nonceBytes),
        { authTagLength: tagBytes },
      )
      decipher.setAAD(bound(place))
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return (
        decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
      )
    },
  }
}

/** Random bytes, each of which is given once. */
function createNonces() {
  const pool = Buffer.alloc(noncesAtOnce * nonceBytes)
  let used = pool.length
  return {
    next(): Buffer {
      if (used === pool.length) {
        randomFillSync(pool)
        used = 0
      }
      used += nonceBytes
      // A copy, so that later nonces do not overwrite a returned one.
      return Buffer.from(pool.subarray(used - nonceBytes, used))
    },
  }
}

const bound = ({ dialogId, messageId, senderId }: Place) =>
  Buffer.from(`${dialogId} ${messageId} ${senderId}`)
