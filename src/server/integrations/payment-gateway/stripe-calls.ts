import Stripe from 'stripe'

/** Under how many keys one thing is asked for at most, after faults that Stripe keeps answering. */
const maxKeys = 3

/**
 * Asks for something once. After an error it is read whether it has happened all the same, as when the answer was lost.
 * Stripe answers a key that met a fault within Stripe with that fault for ever: what is read not to have happened is
 * then asked for under the next key.
 */
export async function write<Made>(
  key: string,
  send: (idempotencyKey: string) => Promise<Made>,
  happened: () => Promise<Made | undefined>,
): Promise<Made> {
  for (let nth = 1; ; nth++) {
    try {
      return await send(nth === 1 ? key : `${key}-${nth}`)
    } catch (error) {
      const made = await happened().catch(() => undefined)
      if (made !== undefined) return made
      if (nth === maxKeys || !isKeptFault(error)) throw error
    }
  }
}

/** Whether an answer is that of an earlier call under the same key. */
export function isRepeated(answer: object): boolean {
  const { lastResponse } = answer as Partial<Stripe.Response<object>>
  return lastResponse?.headers['idempotent-replayed'] === 'true'
}

function isKeptFault(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeAPIError && error.headers?.['idempotent-replayed'] === 'true'
}

/** Whether Stripe refuses a request for what is in it. */
export function isInvalid(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError
}

/** `param`: the part of the request that names what is missing. */
export function isMissing(error: unknown, param?: string): boolean {
  if (!isInvalid(error) || error.code !== 'resource_missing') return false
  return param === undefined || error.param === param
}
