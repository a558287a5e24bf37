import { z } from 'zod'
import { AuthAnswer, HealthConsentVersion, TherapistAuthAnswer } from './accounts.ts'
import { FreeText, Instant } from '../common.ts'
import { defineEndpoints, withoutToken } from '../endpoint.ts'

/** Pages that lead to an OpenID provider. The browser returns to the same page. */
export const entrances = ['/sign-in', '/sign-up', '/therapist/sign-in', '/therapist/sign-up'] as const
export const Entrance = z.enum(entrances)
export type Entrance = z.infer<typeof Entrance>

/** Why the provider's pages returned no credential. */
export type IdentityTrouble = 'cancelled' | 'failed'

const Social = z.object({
  /** The provider's ID token: all that counts. */
  credential: z.string().min(1).max(8192),
  // What a client says besides is taken from the credential instead; another email than its own is refused.
  first_name: FreeText(100).optional(),
  email: FreeText(254).optional(),
})
const SocialSignUp = Social.extend({
  last_name: FreeText(100).optional(),
  accept_terms: z.literal(true, 'Please accept the terms to create an account.'),
})

export const ClientSocialSignIn = Social
export const ClientSocialSignUp = SocialSignUp.extend({
  is_adult: z.literal(true, 'You need to be 18 or over to use Hearth.'),
  /** As in `POST /client/register`. */
  health_consent: HealthConsentVersion.nullish(),
})
export const TherapistSocialSignUp = SocialSignUp

/** A credential as the page that fetched it uses it, with what it says of its holder. */
export const FetchedCredential = z.object({
  credential: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
})
export type FetchedCredential = z.infer<typeof FetchedCredential>

export const identityEndpoints = defineEndpoints({
  'GET /identity/nonce': {
    ...withoutToken,
    summary:
      'A nonce for the provider to put into its ID token; good for one sign-in, and with `bound` in the browser that has asked alone',
    query: z.object({ bound: z.literal('true').optional() }),
    answer: z.object({ nonce: z.string(), expires_at: Instant }),
  },
  'POST /identity/exchange': {
    ...withoutToken,
    summary: "Trade the one-time code of the way back from the provider's pages for its ID token",
    body: z.object({ code: z.string().min(1).max(200) }),
    answer: FetchedCredential,
  },
  'POST /client/google-sign-in': {
    ...withoutToken,
    summary: "Sign in as a client with an OpenID provider's ID token",
    body: ClientSocialSignIn,
    answer: AuthAnswer,
  },
  'POST /client/google-sign-up': {
    ...withoutToken,
    summary: 'Create a client account with an ID token; signs in to one that is there already',
    body: ClientSocialSignUp,
    answer: AuthAnswer,
  },
  'POST /therapist/google-sign-in': {
    ...withoutToken,
    summary: "Sign in as a practitioner with an OpenID provider's ID token",
    body: Social,
    answer: TherapistAuthAnswer,
  },
  'POST /therapist/google-sign-up': {
    ...withoutToken,
    summary: "Create a practitioner's account with an ID token; signs in to one that is there already",
    body: TherapistSocialSignUp,
    answer: TherapistAuthAnswer,
  },
})
