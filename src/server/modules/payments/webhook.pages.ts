import type { FastifyInstance } from 'fastify'
import { fail } from '../../errors.ts'
import { NoticeRefused } from '../../integrations/payment-gateway/port.ts'

type Options = {
  /** The gateway's name. */
  provider: string
  /** @throws NoticeRefused */
  take(body: Buffer, signature: string): Promise<void>
}

/** Far more than a notice takes. */
const longest = 1024 * 1024

/**
 * Where the payment provider says what has happened. Its signature is over the bytes as they came, so nothing parses
 * them on the way; and it is answered once the notice is stored, whatever comes of it.
 */
export async function servePaymentWebhook(app: FastifyInstance, { provider, take }: Options): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: longest }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(`/webhooks/${provider}`, { bodyLimit: longest }, async (request, reply) => {
      const signature = request.headers[`${provider}-signature`]
      if (!Buffer.isBuffer(request.body) || typeof signature !== 'string') throw notSigned()
      await take(request.body, signature).catch((error: unknown) => {
        throw error instanceof NoticeRefused ? notSigned() : error
      })
      return reply.header('cache-control', 'no-store').send({ received: true })
    })
  })
}

function notSigned() {
  return fail('malformed_request', 'This was not signed by the payment provider, or too long ago.')
}
