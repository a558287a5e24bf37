import { z } from 'zod'
import { AuthAnswer, confirmed, Credentials, ForgotPassword, ResetAnswer } from './accounts.ts'
import { FreeText, NewPassword, Success } from '../common.ts'
import { defineEndpoints, withoutToken } from '../endpoint.ts'

/** Six digits of the app, or a recovery code; spaces and hyphens do not matter. */
const Code = FreeText(40).trim().min(1, 'Enter the six digits that your app shows.')

export const AdminAuthAnswer = AuthAnswer.extend({
  /** Nothing but setting up a second factor works yet. */
  second_factor_needed: z.boolean(),
})
export type AdminAuthAnswer = z.infer<typeof AdminAuthAnswer>

export const AdminProfile = z.object({
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  second_factor: z.object({
    is_on: z.boolean(),
    needed: z.boolean(),
    recovery_codes_left: z.number().int(),
  }),
})
export type AdminProfile = z.infer<typeof AdminProfile>

export const AdminPasswordReset = confirmed(
  z.object({
    /** Of the link in the mail, or of the one that the operator made. */
    token: z.string().min(1).max(200),
    password: NewPassword,
    password_confirmation: z.string().max(1000),
    /** Needed by every admin who has a second factor. */
    totp: FreeText(40).trim().optional(),
  }),
)

export const SecondFactorSecret = z.object({
  /** Base32, for typing. */
  secret: z.string(),
  /** `otpauth://`, for the app's camera. */
  uri: z.string(),
})

export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

const admin = { access: ['admin'], withoutSecondFactor: true } as const

export const secondFactorEndpoints = defineEndpoints({
  'POST /admin/login': {
    ...withoutToken,
    summary: 'Sign in to the back office',
    body: Credentials.extend({ totp: Code.optional() }),
    answer: AdminAuthAnswer,
  },
  'POST /admin/forgot-password': {
    ...withoutToken,
    summary:
      'Send an admin with a second factor a link for a new password. The answer never says whether there is one',
    body: ForgotPassword,
    answer: Success,
  },
  'POST /admin/password/reset': {
    ...withoutToken,
    summary: 'Set a new password by a link and a code of the second factor; ends every sign-in of the admin',
    body: AdminPasswordReset,
    answer: ResetAnswer,
  },
  'POST /admin/logout': {
    ...admin,
    summary: 'End this sign-in',
    answer: Success,
  },
  'GET /admin/profile': {
    ...admin,
    summary: 'Who is signed in to the back office, and how',
    answer: AdminProfile,
  },
  'POST /admin/second-factor/set-up': {
    ...admin,
    summary: 'A new secret for an authenticator app; it counts once a code of it is confirmed',
    body: z.object({
      /** Needed to replace one that is on. */
      current_password: z.string().max(1000).optional(),
    }),
    answer: SecondFactorSecret,
  },
  'POST /admin/second-factor/confirm': {
    ...admin,
    summary: 'Turn the new secret on; every other sign-in ends, and recovery codes are given once',
    body: z.object({ code: Code }),
    answer: RecoveryCodes,
  },
})
