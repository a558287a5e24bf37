import type { Endpoint } from '#contract/endpoint.ts'
import { fail, notFound } from '../errors.ts'
import type { Caller, SignedIn } from './caller.ts'

/**
 * Refuses a caller whose role the endpoint is not for: 401 without a sign-in, 403 with the wrong one, and 403
 * `second_factor_needed` where an admin has to set one up first.
 */
export function checkRole(endpoint: Endpoint, caller: Caller): void {
  if (endpoint.access === 'anyone') return
  if (caller.role === 'visitor') throw fail('unauthenticated', 'Please sign in to go on.')
  if (!endpoint.access.includes(caller.role)) {
    throw fail('forbidden', 'This is not available to the account that you are signed in with.')
  }
  if (caller.needsSecondFactor && !endpoint.withoutSecondFactor) {
    throw fail('second_factor_needed', 'Set up your second factor first: the back office opens after that.')
  }
}

/**
 * Whether a call is closed to its caller while they are suspended, or once their profile is closed: every call for practitioners that is not declared
 * `whileSuspended`. Tokens of the chat end with the suspension itself.
 */
export function isClosedBySuspension(endpoint: Endpoint, caller: Caller): caller is SignedIn {
  return (
    endpoint.access !== 'anyone' &&
    endpoint.token !== 'chat' &&
    caller.role === 'therapist' &&
    !endpoint.whileSuspended
  )
}

export const suspended = () =>
  fail(
    'suspended',
    'Your profile is suspended or closed, so this is not available. Your account says what happens next and who to contact.',
  )

type Owned = {
  /** Owned by the practitioner too, if `practitioner_account_id` is set. */
  appointment: { client_id: string; practitioner_account_id?: string }
  series: { client_id: string; practitioner_account_id?: string }
  payment_method: { account_id: string }
  login_session: { account_id: string }
  /** With the account of the practitioner whom it is about. */
  review: { practitioner_account_id: string }
  /** With the account of the practitioner who is asked. */
  help_request: { practitioner_account_id: string }
  /** Owned by the practitioner too, if `practitioner_account_id` is set. */
  waitlist_entry: { client_id: string; practitioner_account_id?: string }
  waitlist_offer: { client_id: string }
}

/** Whose object is whose. Every use case that takes an id of such an object goes through `owned` first. */
export const ownership: { [Kind in keyof Owned]: (caller: SignedIn, object: Owned[Kind]) => boolean } = {
  appointment: (caller, object) => isOfEither(caller, object),
  series: (caller, object) => isOfEither(caller, object),
  payment_method: (caller, object) => object.account_id === caller.accountId,
  login_session: (caller, object) => object.account_id === caller.accountId,
  review: (caller, object) =>
    caller.role === 'therapist' && object.practitioner_account_id === caller.accountId,
  help_request: (caller, object) =>
    caller.role === 'therapist' && object.practitioner_account_id === caller.accountId,
  waitlist_entry: (caller, object) =>
    caller.role === 'client'
      ? object.client_id === caller.accountId
      : caller.role === 'therapist' && object.practitioner_account_id === caller.accountId,
  waitlist_offer: (caller, object) => object.client_id === caller.accountId,
}

/** Whether the caller is the client or the practitioner of what two people share. */
function isOfEither(caller: SignedIn, object: Owned['appointment' | 'series']): boolean {
  return caller.role === 'client'
    ? object.client_id === caller.accountId
    : caller.role === 'therapist' && object.practitioner_account_id === caller.accountId
}

const names: Record<keyof Owned, string> = {
  appointment: 'This session',
  series: 'This series',
  payment_method: 'This card',
  login_session: 'This sign-in',
  review: 'This review',
  help_request: 'This request',
  waitlist_entry: 'This place on a waitlist',
  waitlist_offer: 'This offer',
}

/**
 * Returns the object if the caller owns it.
 * @throws 404 if it does not exist or belongs to another account, so that the two cannot be told apart
 */
export function owned<Kind extends keyof Owned, Row extends Owned[Kind]>(
  kind: Kind,
  caller: SignedIn,
  object: Row | undefined,
): Row {
  if (!object || !ownership[kind](caller, object)) throw notFound(names[kind])
  return object
}
