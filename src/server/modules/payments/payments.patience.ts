import { later, seconds } from '../../clock.ts'
import { fail } from '../../errors.ts'

/** The longest wait for the gateway. A response must follow within 8 seconds, even if the gateway hangs. */
export const gatewayPatience = seconds(6.5)
/** The longest wait for finishing an earlier payment before the caller's own. */
export const finishPatience = seconds(1)

/** For a job that does the caller's gateway call only if the caller has not done it by then. */
export const afterCaller = () => ({ startAfter: later(new Date(), seconds(10)) })

class GatewayTimeout extends Error {
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

/** As `patiently`, for a call that the caller's own request needs. @throws 503 when it fails or takes longer */
export async function orUnavailable<T>(call: Promise<T>): Promise<T> {
  return patiently(call).catch((error: unknown) => {
    throw unavailable(error)
  })
}

/** As `patiently`, for work that goes on without the caller: returns at the deadline. */
export async function waitUntilDeadline(
  work: Promise<unknown>,
  limitMs: number = gatewayPatience,
): Promise<void> {
  await patiently(work, limitMs).catch((error: unknown) => {
    if (!(error instanceof GatewayTimeout)) throw error
  })
}

/** Keeps the gateway's error text out of the response and the log, because it may repeat card data. */
export function unavailable(error: unknown) {
  return fail(
    'payment_unavailable',
    'The payment could not go through at the moment. Please try again shortly.',
    {
      retryAfter: 5,
      cause: error instanceof Error ? error.name : undefined,
    },
  )
}
