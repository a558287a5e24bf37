import type { ErrorCode } from '#contract/errors.ts'

/** The one status that a code is answered with. */
export const statusOf: Record<ErrorCode, number> = {
  validation_failed: 422,
  malformed_request: 400,
  unsupported_media_type: 415,
  payload_too_large: 413,
  not_found: 404,
  unauthenticated: 401,
  forbidden: 403,
  too_many_requests: 429,
  internal_error: 500,
  unavailable: 503,
  conflict: 409,
  changed_elsewhere: 409,
  request_in_progress: 409,
  idempotency_key_reused: 409,
  invalid_credentials: 401,
  wrong_password: 422,
  totp_required: 401,
  wrong_code: 422,
  second_factor_needed: 403,
  suspended: 403,
  invalid_token: 422,
  other_account: 403,
  already_confirmed: 409,
  email_taken: 422,
  no_account: 404,
  identity_refused: 401,
  identity_unavailable: 503,
  not_deletable: 409,
  unknown_referral_code: 422,
  own_referral_code: 422,
  referral_used: 422,
  slot_taken: 409,
  slot_not_offered: 422,
  client_busy: 409,
  slot_free: 409,
  offer_over: 409,
  waitlist_closed: 409,
  too_many_holds: 429,
  nobody_available: 409,
  help_under_way: 409,
  request_over: 409,
  hold_expired: 409,
  price_changed: 422,
  not_payable: 409,
  payment_under_way: 409,
  not_paid: 402,
  card_declined: 402,
  card_refused: 422,
  authentication_required: 402,
  payment_unavailable: 503,
  too_late_to_change: 409,
  not_changeable: 409,
  too_early: 409,
  transition_refused: 409,
  no_card: 404,
  not_subscribed: 404,
  facts_missing: 409,
  not_refundable: 409,
  not_reviewable: 409,
  already_reviewed: 409,
  review_hidden: 409,
  incomplete_profile: 409,
  unreadable_file: 422,
  harmful_file: 422,
  dialog_closed: 409,
  not_set_up: 409,
  series_conflict: 409,
  series_over: 409,
  place_in_use: 409,
  room_closed: 409,
  seat_taken_over: 409,
  not_admitted: 403,
  attendance_missing: 409,
}

type Extra = {
  /** By field, for a 422. */
  errors?: Record<string, string[]>
  details?: Record<string, unknown>
  /** Seconds, for a 429 or 503. */
  retryAfter?: number
  cause?: unknown
}

/** An error that is answered to the caller as it is: thrown where it is known, turned into HTTP in one place. */
export class ProductError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly errors: Record<string, string[]> | undefined
  readonly details: Record<string, unknown> | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, extra: Extra = {}) {
    super(message, { cause: extra.cause })
    this.name = 'ProductError'
    this.code = code
    this.status = statusOf[code]
    this.errors = extra.errors
    this.details = extra.details
    this.retryAfter = extra.retryAfter
  }
}

/** Builds an error to throw: `throw fail('slot_taken', 'This time …')`. */
export function fail(code: ErrorCode, message: string, extra?: Extra): ProductError {
  return new ProductError(code, message, extra)
}

/** 404 for what does not exist and for what must not be known to exist. */
export function notFound(what = 'This page or record'): ProductError {
  return fail('not_found', `${what} does not exist or is not yours to see.`)
}

/** A 422 about one field. */
export function invalidField(
  field: string,
  message: string,
  code: ErrorCode = 'validation_failed',
): ProductError {
  return fail(code, message, { errors: { [field]: [message] } })
}

/** Returns the kind of an error. Only this may be logged or stored: its message may repeat user input. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}

/** What is logged of an unexpected error: never its parameters or details, which may hold what people wrote. */
export function summary(thrown: unknown): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { type: typeof thrown }
  const { code, constraint, table } = thrown as Error & { code?: string; constraint?: string; table?: string }
  const stack = thrown.stack?.split('\n').filter((line) => line.trimStart().startsWith('at '))
  // A database's message quotes values ("invalid input syntax … "Jane""); the code and place say enough.
  const message = code && /^[0-9A-Z]{5}$/.test(code) ? undefined : thrown.name
  const errors = thrown instanceof AggregateError ? thrown.errors.slice(0, 8).map(summary) : undefined
  return { type: thrown.name, code, constraint, table, message, errors, stack: stack?.slice(0, 8).join('\n') }
}
