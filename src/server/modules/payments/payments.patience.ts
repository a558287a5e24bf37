import { setTimeout as sleep } from 'node:timers/promises'
import { seconds } from '../../clock.ts'

/** How long a caller waits for the gateway at most: it is answered within 8 seconds, whatever the gateway does. */
export const gatewayPatience = seconds(6.5)
/** How long a caller waits for what has to be settled before their own payment. */
export const settlingPatience = seconds(1)

export class GatewayTimeout extends Error {
  constructor() {
    super('The gateway has not answered in time.')
    this.name = 'GatewayTimeout'
  }
}

/** The outcome of a gateway call. The call goes on after the deadline. @throws GatewayTimeout after it */
export async function patiently<T>(call: Promise<T>, limitMs: number = gatewayPatience): Promise<T> {
  const timer = new AbortController()
  const deadline = sleep(limitMs, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw new GatewayTimeout()
  })
  // Aborted when the call is over.
  deadline.catch(() => undefined)
  try {
    return await Promise.race([call, deadline])
  } finally {
    timer.abort()
  }
}
