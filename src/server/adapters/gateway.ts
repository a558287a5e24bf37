import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/connection.ts'
import { systemRandom } from '../ids.ts'
import type { PaymentGateway } from '../integrations/payment-gateway/port.ts'
import { sandboxGateway } from '../integrations/payment-gateway/sandbox.ts'
import type { PaymentFacts } from '#web/lib/server-context.ts'

/** The card gateway that is configured. Stripe's client is loaded only for Stripe. */
export async function gatewayOf(config: Config, db: Db): Promise<PaymentGateway> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config
  if (config.PAYMENT_GATEWAY !== 'stripe' || !secretKey || !webhookSecret) {
    return sandboxGateway({ db, clock: systemClock, random: systemRandom })
  }
  const { stripeGateway } = await import('../integrations/payment-gateway/stripe.ts')
  return stripeGateway({ db, clock: systemClock, secretKey, webhookSecret, apiBase: config.STRIPE_API_BASE })
}

/** Stripe.js of the version of the API that the SDK speaks: they are released together. */
const stripeScript = 'https://js.stripe.com/endive/stripe.js'

/** Returns the gateway settings that pages need. */
export function paymentFacts({
  PAYMENT_GATEWAY,
  STRIPE_PUBLISHABLE_KEY,
  STRIPE_JS_URL,
}: Config): PaymentFacts {
  if (PAYMENT_GATEWAY !== 'stripe' || !STRIPE_PUBLISHABLE_KEY) return { provider: 'sandbox' }
  return {
    provider: 'stripe',
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    script: STRIPE_JS_URL ?? stripeScript,
    isReal: STRIPE_JS_URL === undefined,
  }
}
