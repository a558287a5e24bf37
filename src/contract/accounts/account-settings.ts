import { z } from 'zod'
import { ClientProfile, confirmed, HealthConsentVersion, ResetAnswer } from './accounts.ts'
import { Email, Id, Instant, NewPassword, PersonName, Success } from '../common.ts'
import { defineEndpoints } from '../endpoint.ts'

/** Asked for again before something that matters. Wrong ones are limited, apart from failed sign-ins. */
export const CurrentPassword = z
  .string()
  .min(1, 'Enter your password.')
  .max(1000, 'Use at most 1,000 characters.')

export const ChangeEmail = z.object({ email: Email, current_password: CurrentPassword })

export const ChangePassword = confirmed(
  z.object({
    current_password: CurrentPassword,
    password: NewPassword,
    password_confirmation: z.string().max(1000),
  }),
)

export const LoginSession = z.object({
  id: z.uuid(),
  /** Such as 'Firefox on Windows'; null where the browser did not say. */
  device: z.string().nullable(),
  began_at: Instant,
  /** To within a quarter of an hour. */
  last_used_at: Instant,
  /** Whether it is the one that asks. */
  current: z.boolean(),
  /** Whether a new tab there starts signed in, until 30 days without one. */
  stays_signed_in: z.boolean(),
})
export type LoginSession = z.infer<typeof LoginSession>

/** A practitioner's account. The name in it is the one that clients see. */
export const TherapistAccount = z.object({
  practitioner_id: Id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  /** The name is the one on documents that were handed in: only the back office changes it. */
  name_fixed: z.boolean(),
})
export type TherapistAccount = z.infer<typeof TherapistAccount>

/** A new address whose link has not been opened yet. */
export const PendingEmail = z.object({ email: z.string(), until: Instant })

const MailedToken = z.object({ token: z.string().min(1).max(200) })

/** What is the same for both roles, each at a path of its own. */
const verifyEmail = {
  summary:
    'Confirm the address of the account by the link from the mail. The link works for this account alone: with another sign-in the answer is 403 `other_account`, and it stays unused',
  body: MailedToken,
  answer: ResetAnswer,
} as const
const resendVerification = {
  summary: 'Mail the link that confirms the address again; links mailed before no longer work',
  answer: Success,
} as const
const confirmEmail = {
  summary:
    'Make a new address the account’s, by the link from the mail to it. The link works for this account alone: with another sign-in the answer is 403 `other_account`, and it stays unused',
  body: MailedToken,
  answer: ResetAnswer,
} as const
const changeEmail = {
  summary:
    'Ask for another email address; it changes once the link mailed there is opened. The answer never says whether the address is taken',
  body: ChangeEmail,
  answer: Success,
} as const
const changePassword = {
  summary: 'Change the password; ends every other sign-in',
  body: ChangePassword,
  answer: Success,
} as const
const loginSessions = {
  summary: 'Where the account is signed in, last used first',
  answer: z.array(LoginSession),
} as const
const endLoginSession = {
  owner: 'login_session',
  summary: 'End one sign-in',
  params: z.object({ id: z.uuid() }),
  answer: LoginSession,
} as const
const logoutEverywhere = { summary: 'End every sign-in, this one too', answer: Success } as const

const client = { access: ['client'] } as const
const therapist = { access: ['therapist'], whileSuspended: true } as const
const both = { access: ['client', 'therapist'], whileSuspended: true } as const

/** What people do with their own account. */
export const accountSettingsEndpoints = defineEndpoints({
  'GET /change-email': {
    ...both,
    summary:
      'The new address of the account that waits for its link to be opened, and until when; null where none does. The same whether or not the address is taken',
    answer: PendingEmail.nullable(),
  },
  'POST /change-email/resend': {
    ...both,
    summary:
      'Mail the link to the new address again; links mailed before no longer work. 404 where none waits',
    answer: PendingEmail,
  },
  'DELETE /change-email': {
    ...both,
    summary: 'Keep the present address; the link mailed to the new one no longer works',
    answer: Success,
  },
  'PUT /client/profile': {
    ...client,
    summary: "Change the caller's name",
    body: z.object({ name: PersonName }),
    answer: ClientProfile,
  },
  'PUT /client/health-consent': {
    ...client,
    summary: 'Agree to the use of health data; agreeing once more changes nothing',
    body: z.object({ health_consent: HealthConsentVersion }),
    answer: ClientProfile,
  },
  'POST /client/change-email': { ...client, ...changeEmail },
  'POST /client/confirm-email': { ...client, ...confirmEmail },
  'POST /client/verify-email': { ...client, ...verifyEmail },
  'POST /client/resend-verification': { ...client, ...resendVerification },
  'POST /client/change-password': { ...client, ...changePassword },
  'GET /client/login-sessions': { ...client, ...loginSessions },
  'DELETE /client/login-sessions/{id}': { ...client, ...endLoginSession },
  'POST /client/logout-everywhere': { ...client, ...logoutEverywhere },
  'POST /therapist/change-email': { ...therapist, ...changeEmail },
  'POST /therapist/confirm-email': { ...therapist, ...confirmEmail },
  'POST /therapist/verify-email': { ...therapist, ...verifyEmail },
  'POST /therapist/resend-verification': { ...therapist, ...resendVerification },
  'POST /therapist/change-password': { ...therapist, ...changePassword },
  'GET /therapist/login-sessions': { ...therapist, ...loginSessions },
  'DELETE /therapist/login-sessions/{id}': { ...therapist, ...endLoginSession },
  'POST /therapist/logout-everywhere': { ...therapist, ...logoutEverywhere },
})
