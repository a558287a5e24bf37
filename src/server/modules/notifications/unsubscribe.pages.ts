import type { FastifyInstance } from 'fastify'

/**
 * Serves the "unsubscribe" button of mail programs (RFC 8058): a POST, without a sign-in, to the URL in the mail's
 * header. A GET of the same URL shows a page that asks for confirmation.
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
      return reply.type('text/plain; charset=utf-8').send('You will get no more of these emails.')
    })
  })
}
