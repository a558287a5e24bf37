import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'
import type { StoredObject } from '../integrations/object-storage/port.ts'
import { readRange } from './range.ts'

/**
 * Sends an object whole, or the part of it that the request asks for. `part` reads that from the storage. Nothing is read
 * for a HEAD, which is about the whole: only a GET has parts (RFC 9110, 14.2).
 */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  { stream, bytes }: StoredObject,
  part: (range: { start: number; end: number }) => Promise<StoredObject | undefined>,
): Promise<FastifyReply> {
  const isHead = request.method === 'HEAD'
  const range = isHead ? undefined : readRange(request.headers.range, bytes)
  if (isHead || range !== undefined) stream.destroy()
  if (range === undefined) {
    const content = isHead ? Readable.from([]) : stream
    return reply.header('accept-ranges', 'bytes').header('content-length', bytes).send(content)
  }
  if (range === 'unsatisfiable') {
    // Of this request alone, however long the object may be kept.
    return reply
      .code(416)
      .header('content-range', `bytes */${bytes}`)
      .header('cache-control', 'no-store')
      .send('')
  }
  const found = await part(range)
  if (!found) throw fail('not_found', 'There is nothing at this address.')
  return reply
    .code(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${bytes}`)
    .header('content-length', range.end - range.start + 1)
    .header('accept-ranges', 'bytes')
    .send(found.stream)
}
