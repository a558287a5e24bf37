import { seconds } from '../../clock.ts'

/** The longest wait for the gateway. A response must follow within 8 seconds, even if the gateway hangs. */
export const gatewayPatience = seconds(6.5)
/** The longest wait for finishing an earlier payment before the caller's own. */
export const finishPatience = seconds(1)

export class GatewayTimeout extends Error {
  constructor() {
    super('The gateway has not answered in time.')
    this.name = 'GatewayTimeout'
  }
}

/** Waits for a gateway call, which continues after the deadline. @throws GatewayTimeout after the deadline */
export async function patiently<T>(call: Promise<T>, limitMs: number = gatewayPatience): Promise<T> {
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new GatewayTimeout()), limitMs).unref()
  try {
    return await Promise.race([call, deadline])
  } finally {
    clearTimeout(timer)
  }
}
