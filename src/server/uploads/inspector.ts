import { seconds } from '../clock.ts'
import { fail } from '../errors.ts'
import type { Inspection } from './inspect.ts'
import { kinds, type UploadKind, wanted } from './kinds.ts'
import type { PdfFault } from './pdf.ts'
import { createWorkerPool, JobTimeout, PoolUnavailable } from './worker-pool.ts'

/** A PDF of 20 MB takes a second or two; this is for a machine that is busy with much else. */
const timeLimit = seconds(15)
const threads = 2
const queueLimit = 20

/** Finds out what an upload is, before anything else is done with it. */
export type Inspector = {
  /**
   * The content type of a file by its bytes; its name and what the sender called it count for nothing.
   * @throws 415 when it is none that the kind allows, 422 `unreadable_file` for a PDF that is refused and for a file that
   * takes too long, 503 when too many are waiting
   */
  contentTypeOf(path: string, kind: UploadKind): Promise<string>
  close(): Promise<void>
}

const printAnew = 'Please print it to a new PDF and send that.'
const spokenFaults: Record<PdfFault, string> = {
  'cut off': 'This PDF is cut off in the middle. Please choose it again.',
  'too large': `This PDF unpacks to far more than its size, so we cannot open it. ${printAnew}`,
  script: `This PDF contains a script or starts something when it is opened, so we cannot take it. ${printAnew}`,
  attachment: `This PDF has another file inside it, so we cannot take it. ${printAnew}`,
  encrypted: `This PDF is protected, so we cannot check it. ${printAnew}`,
  unusual: `This PDF is built in a way that we cannot check. ${printAnew}`,
}

type Options = { script?: URL; timeLimit?: number }

/** Inspects uploads in threads of their own. */
export function createInspector(options: Options = {}): Inspector {
  const pool = createWorkerPool<string, Inspection>({
    script: options.script ?? new URL('./inspect.worker.ts', import.meta.url),
    size: threads,
    timeLimit: options.timeLimit ?? timeLimit,
    queueLimit,
  })
  return {
    async contentTypeOf(path, kind) {
      const { contentType, pdfFault } = await pool.run(path).catch((error: unknown) => {
        throw refusal(error)
      })
      const allowed: readonly string[] = kinds[kind].types
      if (contentType === undefined || !allowed.includes(contentType)) {
        throw fail('unsupported_media_type', `We cannot accept this kind of file. ${wanted(kind)}`)
      }
      if (pdfFault) throw fail('unreadable_file', spokenFaults[pdfFault])
      return contentType
    },
    close: pool.close,
  }
}

function refusal(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof JobTimeout || code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return fail(
      'unreadable_file',
      'This file took too long to check, so we have not kept it. If it is a PDF, please print it to a new PDF and send that.',
    )
  }
  if (error instanceof PoolUnavailable) {
    return fail('unavailable', 'Many files are being sent at the moment. Please try again shortly.', {
      retryAfter: 5,
    })
  }
  return error
}
