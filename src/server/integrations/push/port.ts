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

/** Hands notifications to the push services of browsers. */
export type PushSender = {
  /** The public key that browsers subscribe with, base64url (RFC 8292). */
  readonly publicKey: string
  /** Whether this is the address of a push service that may be called. */
  allows(endpoint: string): boolean
  /**
   * Hands one over. `gone`: this browser takes no more, and never will.
   * @throws Error when it could not be handed over; trying again later may help
   */
  send(target: PushTarget, message: PushMessage): Promise<'taken' | 'gone'>
}
