import type { FastifyInstance } from 'fastify'
import type { DevelopmentProvider } from '../development/identity-provider.ts'

/** Mounts the development provider at its own address; it reads requests itself. */
export function mountDevelopmentIdentity(app: FastifyInstance, provider: DevelopmentProvider): void {
  app.route({
    method: ['GET', 'POST', 'HEAD'],
    url: `${new URL(provider.issuer).pathname}/*`,
    // Before anything reads the body.
    onRequest: async (request, reply) => {
      reply.hijack()
      await provider.handle(request.raw, reply.raw)
    },
    handler: async () => undefined,
  })
}
