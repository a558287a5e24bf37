import type { Stripe } from '@stripe/stripe-js'
import { ApiError } from './api-error.ts'
import { paymentScript } from './payment-provider.ts'

let loading: Promise<Stripe> | undefined

/**
 * Loads Stripe.js once, on the first page that may take a payment. After a failed load the next call tries again.
 * @throws ApiError with a message for the client
 */
export function loadStripe(): Promise<Stripe> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw new ApiError(
      0,
      {
        code: 'network_failure',
        message: 'Our payment provider could not be reached. Nothing was charged. Please try again.',
      },
      { cause: error },
    )
  })
  return loading
}

async function load(): Promise<Stripe> {
  const script = paymentScript()
  if (!script) throw new Error('No payment script is configured.')
  if (!window.Stripe) {
    const element = document.createElement('script')
    element.src = script.address
    await new Promise<void>((resolve, reject) => {
      element.addEventListener('load', () => resolve())
      element.addEventListener('error', () => reject(new Error('The payment script did not load.')))
      document.head.append(element)
    }).finally(() => element.remove())
  }
  if (!window.Stripe) throw new Error('The payment script is not what it should be.')
  return window.Stripe(script.key)
}

/**
 * Has the bank ask, in a window of the payment provider's. What was answered is for our server to find out: this ends
 * when the window is gone. @throws ApiError where it could not be shown
 */
export async function askAtBank(wanted: unknown): Promise<void> {
  const secret = wanted instanceof ApiError ? wanted.details.client_secret : undefined
  if (typeof secret !== 'string') return
  const stripe = await loadStripe()
  await stripe.handleNextAction({ clientSecret: secret })
}
