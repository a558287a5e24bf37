import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { documentDisposition } from '../uploads/kinds.ts'

/** A private file that a link shows for a moment, or where the storage shows it itself. */
type Opened = { stream: Readable; bytes: number; contentType: string } | { address: string }

/**
 * Shows a private file at `/files/{token}`, for as long as the link is good: a picture in its place, a PDF to be saved. It
 * never acts in the product's name. `open` is told whether whoever asks may be sent elsewhere.
 */
export function showFiles(
  api: FastifyInstance,
  open: (token: string, direct: boolean) => Promise<Opened>,
): void {
  api.get('/files/:token', { schema: { hide: true } }, async (request, reply) => {
    const { token } = request.params as { token: string }
    const opened = await open(token, request.method === 'GET')
    reply.header('cache-control', 'no-store')
    if ('address' in opened) return reply.redirect(opened.address, 302)
    const { stream, bytes, contentType } = opened
    return reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
      )
      .header('content-disposition', documentDisposition(contentType))
      .header('content-length', bytes)
      .type(contentType)
      .send(stream)
  })
}
