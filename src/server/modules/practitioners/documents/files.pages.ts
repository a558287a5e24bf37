import type { FastifyInstance } from 'fastify'
import type { StoredObject } from '../../../integrations/object-storage/port.ts'
import { documentDisposition } from '../../../uploads/kinds.ts'
import { sendObject } from '../../../http/send-object.ts'

/** A private file that a link shows for a moment, or where the storage shows it itself. */
type Opened =
  | (StoredObject & {
      contentType: string
      part(range: { start: number; end: number }): Promise<StoredObject | undefined>
    })
  | { address: string }

/**
 * Serves a private file at `/files/{token}` until the link expires: a picture or video inline, a PDF as a download. The
 * response cannot run scripts in the product's origin. `direct` allows `open` to return an address to redirect to.
 */
export function showFiles(
  api: FastifyInstance,
  open: (token: string, direct: boolean) => Promise<Opened>,
): void {
  api.get('/files/:token', async (request, reply) => {
    const { token } = request.params as { token: string }
    const opened = await open(token, request.method === 'GET')
    reply.header('cache-control', 'no-store')
    if ('address' in opened) return reply.redirect(opened.address, 302)
    reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
      )
      .header('content-disposition', documentDisposition(opened.contentType))
      .type(opened.contentType)
    return sendObject(request, reply, opened, opened.part)
  })
}
