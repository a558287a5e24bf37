import type { FastifyInstance } from 'fastify'
import { fail } from '../../errors.ts'
import { WebhookRefused } from '../../integrations/payment-gateway/port.ts'

type Options = {
  /** The gateway's name. */
  provider: string
  /** @throws WebhookRefused */
  take(body: Buffer, signature: string): Promise<void>
}

/** Bytes; far more than an event needs. */
const maxBodyBytes = 1024 * 1024

/**
 * Receives the payment provider's webhook events. The signature covers the raw bytes, so no parser may change them.
 * The response follows once the event is stored, independent of its processing.
 */
export async function servePaymentWebhook(app: FastifyInstance, { provider, take }: Options): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(`/webhooks/${provider}`, { bodyLimit: maxBodyBytes }, async (request, reply) => {
      const signature = request.headers[`${provider}-signature`]
      if (!Buffer.isBuffer(request.body) || typeof signature !== 'string') throw notSigned()
      await take(request.body, signature).catch((error: unknown) => {
        throw error instanceof WebhookRefused ? notSigned() : error
      })
      return reply.header('cache-control', 'no-store').send({ received: true })
    })
  })
}

function notSigned() {
  return fail('malformed_request', 'This was not signed by the payment provider, or too long ago.')
}
