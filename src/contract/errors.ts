import { z } from 'zod'

/** Every `code` an error answer may carry. They are stable: clients decide by them, never by `message`. */
export const errorCodes = [
  'validation_failed',
  'malformed_request',
  'unsupported_media_type',
  'payload_too_large',
  'not_found',
  'unauthenticated',
  'forbidden',
  'too_many_requests',
  'internal_error',
  'unavailable',
  'conflict',
  'changed_elsewhere',
  'request_in_progress',
  'idempotency_key_reused',
  'invalid_credentials',
  'wrong_password',
  'invalid_token',
  'email_taken',
  'not_deletable',
  'unknown_referral_code',
  'own_referral_code',
  'referral_used',
  'slot_taken',
  'slot_not_offered',
  'client_busy',
  'too_many_holds',
  'hold_expired',
  'price_changed',
  'not_payable',
  'not_paid',
  'card_declined',
  'card_refused',
  'authentication_required',
  'payment_unavailable',
  'too_late_to_change',
  'not_changeable',
  'too_early',
  'transition_refused',
  'no_card',
  'not_subscribed',
  'not_reviewable',
  'already_reviewed',
  'review_hidden',
  'incomplete_profile',
  'unreadable_file',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** The one shape of every 4xx and 5xx answer. `errors` comes with 422 alone. */
export const ErrorAnswer = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  /** What a client needs to act on the code: the right price, the gateway's client secret, an error id for support. */
  details: z.record(z.string(), z.unknown()).optional(),
})
export type ErrorAnswer = z.infer<typeof ErrorAnswer>
