import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'
import type { StoredObject } from '../integrations/object-storage/port.ts'
import { readRange } from './range.ts'

/** Sends an object whole, or the part of it that the request asks for. `part` reads that from the storage. */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  { stream, bytes }: StoredObject,
  part: (range: { start: number; end: number }) => Promise<StoredObject | undefined>,
): Promise<FastifyReply> {
  const range = readRange(request.headers.range, bytes)
  if (range === undefined) {
    return reply.header('accept-ranges', 'bytes').header('content-length', bytes).send(stream)
  }
  stream.destroy()
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${bytes}`).send('')
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
