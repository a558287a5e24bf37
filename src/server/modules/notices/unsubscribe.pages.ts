import type { FastifyInstance } from 'fastify'

/**
 * What mail programs call when somebody presses their "unsubscribe" (RFC 8058): a POST to the address in the mail's
 * header, without a sign-in. Read with GET, the same address is a page that asks first.
 */
export async function serveUnsubscribe(
  app: FastifyInstance,
  stop: (token: string) => Promise<unknown>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addContentTypeParser('*', (_request, body, done) => {
      body.resume()
      done(null)
    })
    scope.post('/unsubscribe', async (request, reply) => {
      const { token } = request.query as { token?: unknown }
      await stop(typeof token === 'string' ? token.slice(0, 300) : '')
      return reply.type('text/plain; charset=utf-8').send('You get no more of these mails.')
    })
  })
}
