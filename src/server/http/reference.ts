import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { referencePage, referenceScript } from './reference-page.ts'

const description = new URL('../../../openapi.json', import.meta.url)
const swaggerUi = new URL('./static/', import.meta.resolve('@fastify/swagger-ui/package.json'))

/** The page runs its own files and calls this server, and nothing else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Its icons are part of its style sheet.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The second one is that of DOMPurify, through which Swagger UI passes descriptions.
  'trusted-types default dompurify',
].join('; ')

/**
 * Serves the description of the calls, `openapi.json`, and at `/api/docs` a reference in which they can be searched and
 * tried: Swagger UI on a page of the product's own.
 */
export async function serveReference(app: FastifyInstance): Promise<void> {
  app.get('/api/v7/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await readFile(description, 'utf8')),
  )
  app.get('/api/docs', async (_request, reply) =>
    reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(referencePage('/api/docs/files')),
  )
  app.get('/api/docs/files/start.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(referenceScript),
  )
  await app.register(fastifyStatic, {
    root: fileURLToPath(swaggerUi),
    prefix: '/api/docs/files/',
    allowedPath: (path) => /^\/swagger-ui(-bundle\.js|\.css)$/.test(path),
    index: false,
    decorateReply: false,
  })
}
