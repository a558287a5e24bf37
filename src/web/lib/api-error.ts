import type { ErrorAnswer, ErrorCode } from '#contract/errors.ts'
import { waitLabel } from './wait-label.ts'

/** What can go wrong on the way to the server, beside its own codes. */
export type TransportCode = 'network_failure' | 'timed_out' | 'unreadable_answer'

/**
 * A call that did not succeed. `message` is for people. `status` is 0 when no answer came.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | TransportCode
  /** By field, with a 422. */
  readonly errors: Record<string, string[]>
  readonly details: Record<string, unknown>
  /** Seconds to wait, with a 429 or 503 that says so. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    answer: {
      code: ErrorCode | TransportCode
      message: string
      errors?: Record<string, string[]>
      details?: Record<string, unknown>
    },
    extra: { retryAfter?: number; cause?: unknown } = {},
  ) {
    super(answer.message, { cause: extra.cause })
    this.name = 'ApiError'
    this.status = status
    this.code = answer.code
    this.errors = answer.errors ?? {}
    this.details = answer.details ?? {}
    this.retryAfter = extra.retryAfter
  }
}

/** For where no answer came. */
export const unreached = 'We could not reach our server. Please check your connection and try again.'

/** What failed in the browser itself. `message` is for people. */
export class BrowserError extends Error {}

/** Builds the error of a failed call, even if a proxy has replaced the server's body with its own. */
export function errorOfAnswer(status: number, body: unknown, retryAfter?: number): ApiError {
  if (isErrorAnswer(body)) {
    return new ApiError(status, { ...body, message: withReference(body) }, { retryAfter })
  }
  return new ApiError(
    status,
    {
      code: 'unreadable_answer',
      message: 'We could not read our server’s reply. Please try again in a moment.',
    },
    { retryAfter },
  )
}

/** What went wrong inside is found in the log by this. */
function withReference({ code, message, details }: ErrorAnswer): string {
  const id = details?.error_id
  return code === 'internal_error' && typeof id === 'string' ? `${message} Reference: ${id}` : message
}

function isErrorAnswer(body: unknown): body is ErrorAnswer {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    'message' in body &&
    typeof body.message === 'string'
  )
}

/** Words for any failure, to put before a person; of too many attempts also how long to wait. */
export function messageOf(error: unknown): string {
  if (error instanceof BrowserError) return error.message
  if (!(error instanceof ApiError)) return 'Something went wrong on our side. Please try again.'
  const { code, message, retryAfter } = error
  return code === 'too_many_requests' && retryAfter !== undefined
    ? `${message} You can try again ${waitLabel(retryAfter)}.`
    : message
}
