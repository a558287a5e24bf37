/** A browser, as its push service knows it. */
export type PushTarget = { endpoint: string; p256dh: Uint8Array; auth: Uint8Array }

export type PushMessage = {
  /** Read by the browser's service worker alone: the push service sees it encrypted. */
  text: string
  /** Seconds that the push service keeps it for a browser that is away. */
  ttl: number
  urgency: 'normal' | 'high'
  /** A later one of the same topic takes its place while it waits; at most 32 characters of base64url. */
  topic: string
}

type PushOutcome = 'taken' | 'gone' | { rejectedWith: 400 | 413 }

/** Hands notifications to the push services of browsers. */
export type PushSender = {
  /** The public key that browsers subscribe with, base64url (RFC 8292). */
  readonly publicKey: string
  /** Whether this is the address of a push service that may be called. */
  allows(endpoint: string): boolean
  /**
   * Hands one over. `gone`: this browser takes no more, and never will. A status of 400 or 413: the push service does not
   * take this notification, and would refuse it again.
   * @throws Error when it could not be handed over; trying again later may help
   * @throws PushRefused when the push service does not take our signature
   */
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>
}

/**
 * The push service does not take what we sign: the browser subscribed with another key, or our contact or clock is wrong.
 * The same again would be refused again. The subscription stays, since a fault of ours would end those of every browser.
 */
export class PushRefused extends Error {
  override name = 'PushRefused'
  /** The queue does not try again what fails for good. */
  readonly final = true

  constructor(status: 400 | 401 | 403) {
    super(`The push service refused our signature with ${status}.`)
  }
}
