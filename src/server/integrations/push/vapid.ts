import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  createPublicKey,
  ECDH,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { readOrMakeKeyFile } from '../../key-file.ts'
import { loopback } from '../../loopback.ts'
import { type PushMessage, PushRefused, type PushSender, type PushTarget } from './port.ts'

type Options = {
  /** A P-256 private key, PKCS #8 in base64. Made and kept in the data folder when absent. */
  key?: string | undefined
  directory: string
  /** Whom a push service can write to about us: a `mailto:` or `https:` address. */
  contact: string
  /** Hosts that may be called; one that begins with a dot stands for everything below it. */
  services?: readonly string[] | undefined
  now: () => Date
}

/** The push services of the browsers that there are. */
export const knownServices = [
  'fcm.googleapis.com',
  '.push.services.mozilla.com',
  '.push.apple.com',
  '.notify.windows.com',
] as const

/** A push service that does not answer by then is tried again by the queue. Milliseconds. */
const timeout = 15_000
/** Lifetime of the token that identifies the sender, in seconds; RFC 8292 allows a day at most. */
const statementHolds = 12 * 3600

/** Speaks to push services as RFC 8030, 8291 and 8292 say: encrypted for the browser, and signed. */
export function vapidSender({ key, directory, contact, services = knownServices, now }: Options): PushSender {
  const privateKey = key ? configuredKey(key) : keptKey(directory)
  const publicKey = pointOf(privateKey).toString('base64url')

  /** No address of the network behind us: only hosts that are listed, and this machine's own where that is listed. */
  function allows(endpoint: string): boolean {
    if (!URL.canParse(endpoint)) return false
    const { protocol, hostname, host, port, username, password } = new URL(endpoint)
    if (username || password) return false
    if (loopback.test(hostname)) return services.includes(host)
    if (protocol !== 'https:' || port !== '') return false
    return services.some((service) =>
      service.startsWith('.') ? hostname.endsWith(service) : hostname === service,
    )
  }

  return {
    publicKey,
    allows,
    async send(target, message) {
      if (!allows(target.endpoint) || !isPoint(target.p256dh)) return 'gone'
      const { status, reason } = await post(target, message, {
        authorization: `vapid t=${statement(target.endpoint)}, k=${publicKey}`,
      })
      if (status === 404 || status === 410) return 'gone'
      if (status === 401 || status === 403) throw new PushRefused(status)
      // Apple replies to a key that the browser did not subscribe with by 400 rather than 403.
      if (status === 400 && reason === 'VapidPkHashMismatch') throw new PushRefused(status)
      // Too large, or not what it takes: the same again would be refused again.
      if (status === 400 || status === 413) return { rejectedWith: status }
      if (status < 200 || status > 299) throw new Error(`The push service answered ${status}.`)
      return 'taken'
    },
  }

  /** Builds a signed token that identifies us to one push service for half a day. */
  function statement(endpoint: string): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = {
      aud: new URL(endpoint).origin,
      exp: Math.floor(now().getTime() / 1000) + statementHolds,
      sub: contact,
    }
    const said = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
    const signature = sign('sha256', Buffer.from(said), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${said}.${signature.toString('base64url')}`
  }
}

type Reply = { status: number; reason?: unknown }

/** Sends it, and follows no redirect. Reads the reason of a 400. @throws Error when there was no answer */
function post(
  target: PushTarget,
  { text, ttl, urgency, topic }: PushMessage,
  headers: Record<string, string>,
): Promise<Reply> {
  const body = encryptFor(target, Buffer.from(text))
  const url = new URL(target.endpoint)
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        method: 'POST',
        timeout,
        headers: {
          ...headers,
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          'content-length': body.length,
          ttl: String(ttl),
          urgency,
          topic,
        },
      },
      (answer) => {
        const { statusCode: status = 0 } = answer
        if (status === 400) void readReason(answer).then((reason) => resolve({ status, reason }))
        else {
          answer.resume()
          resolve({ status })
        }
      },
    )
    call.on('timeout', () => call.destroy(new Error('The push service did not answer.')))
    // Its words may name the browser.
    call.on('error', () => reject(new Error('The push service could not be reached.')))
    call.end(body)
  })
}

/** Bytes of an answer that may hold a reason. */
const maxReasonBytes = 1024

/** Returns the `reason` of an answer in JSON, as Apple sends it; undefined if there is none, or not soon enough. */
async function readReason(answer: IncomingMessage): Promise<unknown> {
  const timer = setTimeout(() => answer.destroy(), timeout)
  try {
    let text = ''
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      text += chunk.toString()
      if (text.length > maxReasonBytes) return undefined
    }
    return (JSON.parse(text) as { reason?: unknown } | null)?.reason
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

const recordSize = 4096

type Fresh = { ecdh: ECDH; salt: Uint8Array }

/** Encrypts for one browser: RFC 8291, in one record of RFC 8188. `fresh` is given by the test of the RFC's example. */
export function encryptFor(
  { p256dh, auth }: Pick<PushTarget, 'p256dh' | 'auth'>,
  text: Uint8Array,
  { ecdh, salt }: Fresh = freshKeys(),
): Buffer {
  const own = ecdh.getPublicKey()
  const shared = ecdh.computeSecret(p256dh)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, own])
  const material = hkdf(shared, auth, info, 32)
  const key = hkdf(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // 2 says that this is the last record.
  const body = Buffer.concat([cipher.update(text), cipher.update(Buffer.from([2])), cipher.final()])
  const head = Buffer.alloc(21)
  head.set(salt, 0)
  head.writeUInt32BE(recordSize, 16)
  head.writeUInt8(own.length, 20)
  return Buffer.concat([head, own, body, cipher.getAuthTag()])
}

function freshKeys(): Fresh {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  return { ecdh, salt: randomBytes(16) }
}

function hkdf(material: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', material, salt, info, length))
}

/** Whether bytes that a browser sent are a public key, for which something can be encrypted. */
function isPoint(bytes: Uint8Array): boolean {
  try {
    return ECDH.convertKey(bytes, 'prime256v1').length > 0
  } catch {
    return false
  }
}

/** The public point of a key, uncompressed: 65 bytes. */
function pointOf(key: KeyObject): Buffer {
  const { x = '', y = '', crv } = createPublicKey(key).export({ format: 'jwk' })
  if (crv !== 'P-256') throw new Error('The key of push notifications must be on P-256.')
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

/** @throws Error with a sentence that does not repeat the key */
function configuredKey(text: string): KeyObject {
  try {
    const key = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })
    pointOf(key)
    return key
  } catch {
    throw new Error('PUSH_KEY is not usable: it must be a private key on P-256, PKCS #8 in base64.')
  }
}

/** The key in the data folder. */
function keptKey(directory: string): KeyObject {
  const made = () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  }
  return createPrivateKey(readOrMakeKeyFile(join(directory, 'push.key'), made))
}
