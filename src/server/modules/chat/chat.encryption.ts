import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
  randomFillSync,
} from 'node:crypto'
import type { Secrets } from '../../secrets.ts'
import type { Place } from './chat.rules.ts'

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
/** One call for random bytes costs the same for many nonces as for one. */
const noncesAtOnce = 256
/** Keys that are kept opened: about a megabyte of them. */
const maxKeys = 5000

export type Encryption = ReturnType<typeof createEncryption>

/**
 * Messages are encrypted (AES-256-GCM) by a key of their dialog, and that key by one that is not in the database. A text
 * is bound to its dialog, message and sender, so that one put in another's row cannot be read.
 */
export function createEncryption(secrets: Secrets, kept = maxKeys) {
  /** By dialog, those used longest ago first. */
  const opened = new Map<string, { sealed: Uint8Array; key: KeyObject }>()

  const nonces = createNonces()

  const keyOf = (dialogId: string, sealed: Uint8Array): KeyObject => {
    const known = opened.get(dialogId)
    opened.delete(dialogId)
    const entry =
      known && Buffer.compare(known.sealed, sealed) === 0
        ? known
        : { sealed, key: createSecretKey(secrets.open('chat dialog key', dialogId, sealed)) }
    opened.set(dialogId, entry)
    if (opened.size > kept) {
      for (const [oldest] of opened) {
        opened.delete(oldest)
        break
      }
    }
    return entry.key
  }

  return {
    /** A new key for a dialog, sealed as it is stored. */
    newKey: (dialogId: string): Buffer => secrets.seal('chat dialog key', dialogId, randomBytes(keyBytes)),

    /** The key of a dialog that has been opened here lately, sealed as it was then stored. */
    known: (dialogId: string): Uint8Array | undefined => opened.get(dialogId)?.sealed,

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
