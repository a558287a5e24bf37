import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOrMakeKeyFile } from './key-file.ts'

/** What a sealed value is for. Each has keys of its own, so that one can never be opened as another. */
export type SecretPurpose =
  | 'second factor'
  | 'recovery code'
  | 'chat dialog key'
  | 'chat report'
  | 'live event'
  | 'unsubscribing'
  | 'identity'
  | 'calendar consent'
  | 'calendar grant'
  | 'known browser'
  | 'known address'
  | 'refresh token'
  | 'device token'
  | 'search wish'
  | 'release file'

export type Secrets = {
  /**
   * Encrypts a value (AES-256-GCM). `owner` is whose it is, such as the row's id: moved to another row, it cannot be
   * opened.
   */
  seal(purpose: SecretPurpose, owner: string, value: Uint8Array): Buffer
  /** @throws Error if the key is not held, the purpose or owner differs, or the value was changed */
  open(purpose: SecretPurpose, owner: string, sealed: Uint8Array): Buffer
  /** A keyed digest, for values that are looked up and too short to be safe as a plain one. */
  digest(purpose: SecretPurpose, owner: string, value: string): Buffer
  /** As `digest`, by every key that is held, the first one first: what was digested before may be by an older one. */
  digests(purpose: SecretPurpose, owner: string, value: string): Buffer[]
  /** Names the key that seals, without saying anything of it. */
  keyId: string
  /** Whether what was sealed with the key of this name can be opened. */
  holds(keyId: string): boolean
}

const keyBytes = 32
const version = 1
const idBytes = 8
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + idBytes + nonceBytes

/**
 * Encrypts what must not be readable in the database, with keys that are not in it. The first key seals and digests;
 * all of them open, so that a new one can be put before the old. @param keys 32 bytes each
 */
export function createSecrets(keys: readonly Uint8Array[]): Secrets {
  if (keys.length === 0 || keys.some((key) => key.length !== keyBytes)) {
    throw new Error(`A secret key has ${keyBytes} bytes.`)
  }
  const ring = new Map(keys.map((key) => [idOf(key), key]))
  const [first = new Uint8Array()] = keys
  const id = idOf(first)

  return {
    keyId: id,
    holds: (other) => ring.has(other),
    seal(purpose, owner, value) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', derived(first, purpose), nonce)
      cipher.setAAD(Buffer.from(owner))
      const body = Buffer.concat([cipher.update(value), cipher.final()])
      return Buffer.concat([Buffer.from([version]), Buffer.from(id, 'hex'), nonce, cipher.getAuthTag(), body])
    },
    open(purpose, owner, sealed) {
      const bytes = Buffer.from(sealed)
      const key = ring.get(bytes.subarray(1, 1 + idBytes).toString('hex'))
      if (bytes[0] !== version || !key) throw new Error('Sealed with a key that is not held.')
      const decipher = createDecipheriv(
        'aes-256-gcm',
        derived(key, purpose),
        bytes.subarray(1 + idBytes, headBytes),
        // Without it, a tag that was cut short counts as far as it goes.
        { authTagLength: tagBytes },
      )
      decipher.setAAD(Buffer.from(owner))
      decipher.setAuthTag(bytes.subarray(headBytes, headBytes + tagBytes))
      const parts = [decipher.update(bytes.subarray(headBytes + tagBytes)), decipher.final()]
      const value = Buffer.concat(parts)
      // The caller's copy is the only one, so that a caller can overwrite it.
      for (const part of parts) part.fill(0)
      return value
    },
    digest: (purpose, owner, value) => digestBy(first, purpose, owner, value),
    digests: (purpose, owner, value) => keys.map((key) => digestBy(key, purpose, owner, value)),
  }
}

/**
 * The keys of this installation: those of the configuration (base64, joined by commas, the one that seals first), or those in
 * a file of the data folder, a line each, which is made with one when there is none.
 * @throws Error with a sentence when what is there is not a key
 */
export function openSecrets({
  configured,
  directory,
}: {
  configured?: string | undefined
  directory: string
}): Secrets {
  const texts = configured?.split(',') ?? keptKeys(directory)
  const keys = texts.map((text) => Buffer.from(text.trim(), 'base64'))
  if (keys.some((key) => key.length !== keyBytes)) {
    const where = configured ? 'SECRET_KEY' : `The file ${join(directory, fileName)}`
    throw new Error(`${where} is not usable: it must hold ${keyBytes} bytes in base64.`)
  }
  return createSecrets(keys)
}

const fileName = 'secret.key'

/**
 * Puts a new key before the one in the data folder; from now on it seals. Adds none while there are several: the last
 * rotation is not over, and what has been digested since would need yet another key. Only while the product is stopped.
 */
export function addKeptKey(directory: string): void {
  const present = keptKeys(directory)
  if (present.length > 1) return
  replaceKept(directory, [randomBytes(keyBytes).toString('base64'), ...present])
}

/** Forgets all keys in the data folder but the newest. */
export function dropOldKeptKeys(directory: string): void {
  replaceKept(directory, keptKeys(directory).slice(0, 1))
}

function replaceKept(directory: string, keys: string[]): void {
  const draft = join(directory, `${fileName}.${randomUUID()}`)
  writeFileSync(draft, `${keys.join('\n')}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(draft, join(directory, fileName))
}

/** The keys in the data folder, the newest first. */
function keptKeys(directory: string): string[] {
  const made = () => `${randomBytes(keyBytes).toString('base64')}\n`
  return readOrMakeKeyFile(join(directory, fileName), made).trim().split('\n')
}

const idOf = (key: Uint8Array) =>
  createHash('sha256')
    .update('hearth key id')
    .update(key)
    .digest('hex')
    .slice(0, idBytes * 2)

const digestBy = (key: Uint8Array, purpose: SecretPurpose, owner: string, value: string) =>
  createHmac('sha256', derived(key, purpose)).update(`${owner} ${value}`).digest()

/** Deriving takes longer than encrypting: each is done once for a key and a purpose. */
const derivations = new WeakMap<Uint8Array, Map<string, Buffer>>()

function derived(key: Uint8Array, purpose: string): Buffer {
  const ofKey = derivations.get(key) ?? new Map<string, Buffer>()
  derivations.set(key, ofKey)
  const known = ofKey.get(purpose)
  if (known) return known
  const made = Buffer.from(hkdfSync('sha256', key, '', `hearth ${purpose}`, keyBytes))
  ofKey.set(purpose, made)
  return made
}
