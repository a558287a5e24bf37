import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** A private file that a link shows for a moment. */
type Opened = { stream: Readable; bytes: number; contentType: string }

/**
 * Shows a private file at `/files/{token}`, for as long as the link is good. It opens in the page that asked for it or in
 * a tab, never as anything that could act in our name.
 */
export function showFiles(api: FastifyInstance, open: (token: string) => Promise<Opened>): void {
  api.get('/files/:token', { schema: { hide: true } }, async (request, reply) => {
    const { token } = request.params as { token: string }
    const { stream, bytes, contentType } = await open(token)
    return reply
      .header('cache-control', 'no-store')
      .header(
        'content-security-policy',
        "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
      )
      .header('content-disposition', 'inline; filename="document"')
      .header('content-length', bytes)
      .type(contentType)
      .send(stream)
  })
}
