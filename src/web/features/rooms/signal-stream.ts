/** One step of a stream of signals. `n` counts from 1; 0 carries nothing but the acknowledgement. */
export type Frame<B> = {
  n: number
  /** Everything up to this number has arrived. */
  ack: number
  body?: B
}

type Options<B> = {
  send(frame: Frame<B>): void
  deliver(body: B): void
}

/** How long a frame may stay without acknowledgement before it is sent again, in milliseconds. */
export const resendAfter = 2000
/** An acknowledgement waits this long for a frame that carries it, in milliseconds. */
export const ackAfter = 100
/** More than these ahead of the expected one are forgotten; they come again. */
const maxHeld = 100
/** At most so many at once, to stay below the server's limit. */
const resentAtOnce = 20

/**
 * Delivers each body once and in order over a channel that loses, repeats and reorders. One stream for each pair of
 * connections: another connection begins another stream.
 */
export function createSignalStream<B>({ send, deliver }: Options<B>) {
  let lastSent = 0
  let delivered = 0
  const unacknowledged = new Map<number, B>()
  const held = new Map<number, B>()
  let resendTimer: ReturnType<typeof setTimeout> | undefined
  let ackTimer: ReturnType<typeof setTimeout> | undefined
  let isEnded = false

  function sendFrame(n: number, body?: B): void {
    clearTimeout(ackTimer)
    ackTimer = undefined
    send(body === undefined ? { n, ack: delivered } : { n, ack: delivered, body })
  }

  function resendLater(): void {
    clearTimeout(resendTimer)
    if (unacknowledged.size > 0 && !isEnded) resendTimer = setTimeout(resend, resendAfter)
  }

  function resend(): void {
    for (const [n, body] of [...unacknowledged].slice(0, resentAtOnce)) sendFrame(n, body)
    resendLater()
  }

  return {
    send(body: B): void {
      if (isEnded) return
      lastSent += 1
      unacknowledged.set(lastSent, body)
      sendFrame(lastSent, body)
      if (resendTimer === undefined || unacknowledged.size === 1) resendLater()
    },

    receive({ n, ack, body }: Frame<B>): void {
      if (isEnded) return
      const waiting = unacknowledged.size
      for (const each of unacknowledged.keys()) if (each <= ack) unacknowledged.delete(each)
      // A frame that acknowledges nothing puts nothing off: the other side may go on sending for long.
      if (unacknowledged.size < waiting) resendLater()
      if (n === 0 || body === undefined) return
      if (n > delivered && n <= delivered + maxHeld) held.set(n, body)
      ackTimer ??= setTimeout(() => sendFrame(0), ackAfter)
      for (let next = held.get(delivered + 1); next !== undefined; next = held.get(delivered + 1)) {
        delivered += 1
        held.delete(delivered)
        deliver(next)
      }
    },

    /** Sends at once what is not acknowledged, such as when the way there is open again. */
    flush(): void {
      if (!isEnded && unacknowledged.size > 0) resend()
    },

    end(): void {
      isEnded = true
      clearTimeout(resendTimer)
      clearTimeout(ackTimer)
    },
  }
}
