import type { FastifyInstance } from 'fastify'

/** Pages bring a policy of their own, and their files are parts of them. */
const isNoPage = /^\/(api|media|webhooks|unsubscribe|calendar|healthz|readyz|socket)(?=[/?#]|$)/

/** What every answer is sent with, so that a browser shows nothing of it as a page, and asks by https from then on. */
export function protectAnswers(app: FastifyInstance, isSecure: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isSecure) reply.header('strict-transport-security', 'max-age=31536000')
    if (isNoPage.test(request.url)) {
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
      reply.header('x-frame-options', 'DENY')
    }
    done()
  })
}
