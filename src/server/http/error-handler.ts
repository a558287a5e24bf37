import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { ErrorAnswer } from '#contract/errors.ts'
import { isServerAway } from '../db/unreachable.ts'
import { fail, ProductError, summary } from '../errors.ts'
import { isOutOfSpace } from './disk-space.ts'

/** The one place where an error becomes HTTP. What is not a `ProductError` stays inside and gets an id. */
export function handleErrors(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) =>
    answerError(fail('not_found', 'There is nothing at this address.'), request, reply),
  )
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // Their answer was being compressed when they left.
    const hasLeft = error.code === 'ERR_STREAM_PREMATURE_CLOSE' && reply.raw.destroyed
    return hasLeft ? reply.hijack() : answerError(error, request, reply)
  })
}

export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { error, answer } = describe(thrown, request.log, request.id)
  if (error.retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(error.retryAfter)))
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  // The handler may have said how long its answer may be kept, before it failed.
  reply.header('cache-control', 'no-store')
  return reply.code(error.status).type('application/json; charset=utf-8').send(JSON.stringify(answer))
}

/** As `answerError`, for what does not come by a request. */
export function describeError(thrown: unknown, log: FastifyBaseLogger, errorId: string): ErrorAnswer {
  return describe(thrown, log, errorId).answer
}

/** As `answerError`, for a call within the process. */
export function failedAnswer(
  thrown: unknown,
  log: FastifyBaseLogger,
  errorId: string,
): { status: number; body: ErrorAnswer } {
  const { error, answer } = describe(thrown, log, errorId)
  return { status: error.status, body: answer }
}

function describe(
  thrown: unknown,
  log: FastifyBaseLogger,
  errorId: string,
): { error: ProductError; answer: ErrorAnswer } {
  const error = toProductError(thrown)
  // An id that is never looked up would end there too.
  if (error.status >= 500 || breaksReference(thrown)) {
    log.error({ err: summary(thrown), errorId }, 'request failed')
  }
  const details = error.status >= 500 ? { error_id: errorId } : error.details
  const answer = {
    code: error.code,
    message: error.message,
    ...(error.errors ? { errors: error.errors } : {}),
    ...(details ? { details } : {}),
  }
  return { error, answer }
}

function toProductError(thrown: unknown): ProductError {
  if (thrown instanceof ProductError) return thrown
  if (hasZodFastifySchemaValidationErrors(thrown)) return fromValidation(thrown)
  const { code, statusCode } = thrown as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return fail('unsupported_media_type', 'Send JSON with the content type application/json.')
  }
  if (statusCode === 413) return fail('payload_too_large', 'That is more than we can accept.')
  if (statusCode === 429) return fail('too_many_requests', 'Too many requests. Please wait a moment.')
  if (statusCode && statusCode >= 400 && statusCode < 500) {
    return fail('malformed_request', 'The request could not be read.')
  }
  // Text that PostgreSQL cannot store (a NUL, half a surrogate pair) got past a schema.
  if (code === '22021' || code === '22P05') {
    return fail('validation_failed', 'The text contains a character that cannot be stored.')
  }
  // The account was deleted while this request was under way: the database's word for it, from its own triggers.
  if (code === 'HE001') return fail('unauthenticated', 'This account has been deleted.')
  // What the request named was deleted while it was under way, or what it deletes was named; or its sign-in session went.
  if (breaksReference(thrown)) {
    return thrown.constraint?.endsWith('_login_session_id_fkey')
      ? fail('unauthenticated', 'Your sign-in has ended. Please sign in again.')
      : fail('changed_elsewhere', 'This has changed a moment ago. Nothing was saved. Please look again.')
  }
  if (isOutOfSpace(thrown)) {
    return fail('unavailable', 'We cannot save anything at the moment. Please try again in a few minutes.', {
      retryAfter: 30,
    })
  }
  if ((code && overloaded.has(code)) || isServerAway(thrown)) {
    return fail('unavailable', 'We are very busy at the moment. Please try again shortly.', {
      retryAfter: 2,
    })
  }
  return fail('internal_error', 'Something went wrong on our side. Please try again in a moment.')
}

/** Whether PostgreSQL refused what would have left a foreign key without its row. */
const breaksReference = (thrown: unknown): thrown is { constraint?: string } =>
  (thrown as { code?: string } | null)?.code === '23503'

/**
 * PostgreSQL's codes for a statement, a lock or a transaction that ran out of time, a lost deadlock, and a server that is
 * still a replica.
 */
const overloaded = new Set(['57014', '55P03', '25P03', '40001', '40P01', '25006'])

type Issue = { code: string; path: PropertyKey[]; message: string }
type Validated = FastifyError & {
  validationContext?: string
  validation: { instancePath: string; message?: string; params?: { errors?: Issue[][] } }[]
}

function fromValidation(thrown: unknown): ProductError {
  const { validation, validationContext } = thrown as Validated
  if (validationContext === 'params') return fail('not_found', 'This page or record does not exist.')
  const errors: Record<string, string[]> = {}
  for (const { instancePath, message = 'Check this.', params } of validation) {
    const place = instancePath.split('/').filter(Boolean)
    for (const issue of issuesOfForm(params?.errors) ?? [{ path: [], message }]) {
      const field = [...place, ...issue.path].join('.') || 'body'
      errors[field] = [...(errors[field] ?? []), issue.message]
    }
  }
  return fail('validation_failed', 'Please check the highlighted fields.', { errors })
}

/** Returns the issues of a union's first form for this kind of value; undefined if no form names a field of the value. */
function issuesOfForm(forms: Issue[][] = []): Issue[] | undefined {
  const isOtherKind = ({ code, path }: Issue) => code === 'invalid_type' && path.length === 0
  return forms.find((issues) => !issues.some(isOtherKind) && issues.some(({ path }) => path.length > 0))
}
