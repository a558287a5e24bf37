import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { type Clock, hours, later, seconds } from '../clock.ts'
import { fail, invalidField } from '../errors.ts'
import { removeOldFiles } from '../old-files.ts'
import { kinds, type UploadKind, wanted } from '../uploads/kinds.ts'
import type { ReceivedFile } from '../uploads/received-file.ts'

type Wanted = {
  kind: UploadKind
  /** Name of the form's field that holds the file. */
  field: string
  /** Where it may lie meanwhile. */
  directory: string
  /** Milliseconds without a byte after which a sender has gone. */
  patience?: number
}

/** Boundaries, headers and the fields around the one file. */
const formBytes = 16 * 1024

/** How large a form with a file of this kind may be. */
export function maxFormBytes(kind: UploadKind): number {
  return kinds[kind].maxBytes + formBytes
}

/** Age at which a file that is being received is left over from a process that ended. Longer than any request lasts. */
const leftOverAfter = hours(2)

/** Where `receiveFile` writes. `tidy` removes what a crash, or a stop that could not wait, has left there. */
export const createUploadFolder = (directory: string, clock: Clock) => ({
  directory,
  tidy: () => removeOldFiles(directory, later(clock.now(), -leftOverAfter)),
})

/**
 * Streams the one file of a multipart form to the disk, passes it to `use`, and always removes it again, also after an
 * error. Ignores its name.
 * @throws 415 where no form was sent, 422 where it has no such file or an empty one, 413 where it is too large, 400
 * where it breaks off
 */
export async function receiveFile<T>(
  request: FastifyRequest,
  { kind, field, directory, patience = seconds(60) }: Wanted,
  use: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) {
    throw fail('unsupported_media_type', `Send the file as multipart/form-data, in the field ${field}.`)
  }
  const { maxBytes } = kinds[kind]
  const tooLarge = () => fail('payload_too_large', `This file is too large. ${wanted(kind)}`)
  if (Number(request.headers['content-length'] ?? 0) > maxFormBytes(kind)) throw tooLarge()
  await mkdir(directory, { recursive: true })
  const path = join(directory, randomUUID())
  request.raw.socket.setTimeout(patience)
  try {
    const file = await readForm(request, { field, path, maxBytes, tooLarge })
    // The sender has nothing more to send, and waits: a large file may take minutes to check and store.
    request.raw.socket.setTimeout(0)
    return await use(file)
  } finally {
    request.raw.socket.setTimeout(0)
    await rm(path, { force: true })
  }
}

type Reading = { field: string; path: string; maxBytes: number; tooLarge: () => Error }

async function readForm(
  request: FastifyRequest,
  { field, path, maxBytes, tooLarge }: Reading,
): Promise<ReceivedFile> {
  try {
    const limits = { fileSize: maxBytes, files: 1, fields: 5, fieldSize: 1000, parts: 6 }
    const part = await request.file({ limits })
    if (part?.fieldname !== field) throw invalidField(field, 'Please choose a file.')
    // The rest of a file that is too large is not waited for.
    const { file } = part
    file.once('limit', () => file.destroy(tooLarge()))
    await pipeline(file, createWriteStream(path, { flags: 'wx' }))
    if (file.truncated) throw tooLarge()
    if (part.file.bytesRead === 0) throw invalidField(field, 'This file is empty. Please choose another one.')
    return { path, bytes: part.file.bytesRead, fields: fieldsOf(part.fields) }
  } catch (error) {
    throw isOfForm(error)
      ? fail('malformed_request', 'The file did not arrive complete. Please send it again.')
      : error
  }
}

/** Whether the form itself could not be read; errors of ours, of the framework and of the disk carry a code. */
function isOfForm(error: unknown): boolean {
  return error instanceof Error && !('code' in error)
}

function fieldsOf(parts: Record<string, unknown>): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'object' && part !== null && 'value' in part && typeof part.value === 'string') {
      fields[name] = part.value
    }
  }
  return fields
}
