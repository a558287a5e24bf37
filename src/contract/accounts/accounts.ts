import { z } from 'zod'
import { Email, FreeText, Instant, NewPassword, PersonName, Success } from '../common.ts'
import { defineEndpoints, withoutToken } from '../endpoint.ts'
import { healthConsentVersions } from './health-consent.ts'

export const AuthAnswer = z.object({
  token: z.string(),
  refresh_token: z.string(),
  user: z.object({ first_name: z.string(), last_name: z.string(), email: z.string() }),
})
export type AuthAnswer = z.infer<typeof AuthAnswer>

export const TherapistAuthAnswer = AuthAnswer.extend({
  user: AuthAnswer.shape.user.extend({ practitioner_id: z.number().int() }),
})

export const TokenPair = z.object({ token: z.string(), refresh_token: z.string() })

export const Credentials = z.object({ email: FreeText(254), password: z.string().min(1).max(1000) })
/** As `Credentials`, with the wish to stay signed in on this device: the answer then sets a cookie for `resume`. */
const CredentialsToStay = Credentials.extend({ stay_signed_in: z.boolean().optional() })
export const RefreshRequest = z.object({ refresh_token: z.string().min(1).max(200) })
export const ForgotPassword = z.object({ email: Email })

/** A form in which a new password is typed twice, alike. */
export const confirmed = <T extends z.ZodType<{ password: string; password_confirmation: string }>>(
  form: T,
) =>
  form.refine((body) => body.password === body.password_confirmation, {
    path: ['password_confirmation'],
    message: 'Passwords do not match.',
  })

export const PasswordReset = confirmed(
  z.object({
    token: z.string().min(1).max(200),
    email: z.string().max(254),
    password: NewPassword,
    password_confirmation: z.string().max(1000),
  }),
)
export const ResetAnswer = z.object({ success: z.boolean() })

/** The version of the consent to the use of health data that the page has shown. */
export const HealthConsentVersion = z.enum(healthConsentVersions)

export const ClientRegister = z.object({
  name: PersonName,
  email: Email,
  password: NewPassword,
  referral_code: FreeText(40).trim().nullish(),
  is_adult: z.literal(true, 'You need to be 18 or over to use Hearth.'),
  /** Without it the account is opened, and its pages ask for it. */
  health_consent: HealthConsentVersion.nullish(),
  accept_terms: z.literal(true, 'Please accept the terms to create an account.'),
})

export const TherapistRegister = z.object({
  name: PersonName,
  last_name: PersonName,
  email: Email,
  password: NewPassword,
  accept_terms: z.literal(true, 'Please accept the terms to create an account.'),
})

export const ClientProfile = z.object({
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  profile_image: z.object({ thumb_256: z.string().nullable() }),
  referral_code: z.string(),
  /** When the use of health data was agreed to; null where it was not asked for yet. */
  health_consent_at: Instant.nullable(),
})
export type ClientProfile = z.infer<typeof ClientProfile>

const refresh = {
  ...withoutToken,
  summary: 'Trade a refresh token for a new pair; each is good for one use',
  body: RefreshRequest,
  answer: TokenPair,
} as const
const handOver = {
  ...withoutToken,
  summary:
    'Sign in another tab of the same browser by the refresh token of an open one, which stays good; both end together',
  body: RefreshRequest,
} as const
const resume = {
  ...withoutToken,
  summary:
    'Sign in a new tab of a browser that stays signed in, by the cookie of its sign-in; null where there is none or it has ended',
} as const
const forgot = {
  ...withoutToken,
  summary: 'Send a link for a new password. The answer never says whether the account exists',
  body: ForgotPassword,
  answer: Success,
} as const
const reset = {
  ...withoutToken,
  summary: 'Set a new password by the link from the mail; ends every sign-in of the account',
  body: PasswordReset,
  answer: ResetAnswer,
} as const

export const accountEndpoints = defineEndpoints({
  'POST /client/register': {
    ...withoutToken,
    summary: 'Create a client account',
    body: ClientRegister,
    answer: AuthAnswer,
    status: 201,
  },
  'POST /client/login': {
    ...withoutToken,
    summary: 'Sign in as a client',
    body: CredentialsToStay,
    answer: AuthAnswer,
  },
  'POST /client/refresh-token': refresh,
  'POST /client/hand-over': { ...handOver, answer: AuthAnswer },
  'POST /client/resume': { ...resume, answer: AuthAnswer.nullable() },
  'POST /client/logout': {
    access: ['client'],
    summary: 'End this sign-in, in all tabs of its browser',
    answer: Success,
  },
  'POST /client/forgot-password': forgot,
  'POST /client/password/reset': reset,
  'GET /client/profile': { access: ['client'], summary: "The caller's own data", answer: ClientProfile },
  'POST /therapist/register': {
    ...withoutToken,
    summary: "Create a practitioner's account, with a profile that is a draft",
    body: TherapistRegister,
    answer: TherapistAuthAnswer,
    status: 201,
  },
  'POST /therapist/login': {
    ...withoutToken,
    summary: 'Sign in as a practitioner',
    body: CredentialsToStay,
    answer: TherapistAuthAnswer,
  },
  'POST /therapist/refresh-token': refresh,
  'POST /therapist/hand-over': { ...handOver, answer: TherapistAuthAnswer },
  'POST /therapist/resume': { ...resume, answer: TherapistAuthAnswer.nullable() },
  'POST /therapist/logout': {
    access: ['therapist'],
    whileSuspended: true,
    summary: 'End this sign-in, in all tabs of its browser',
    answer: Success,
  },
  'POST /therapist/forgot-password': forgot,
  'POST /therapist/password/reset': reset,
  'POST /admin/refresh-token': refresh,
  'POST /admin/hand-over': { ...handOver, answer: AuthAnswer },
})
