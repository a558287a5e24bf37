import { z } from 'zod'
import { ClientProfile, ResetAnswer } from './accounts.ts'
import { Email, Instant, NewPassword, PersonName, Success } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** Asked for again before something that matters. A wrong one counts as a failed sign-in. */
export const CurrentPassword = z.string().min(1, 'Enter your password').max(1000)

export const ChangeEmail = z.object({ email: Email, current_password: CurrentPassword })

export const ChangePassword = z
  .object({
    current_password: CurrentPassword,
    password: NewPassword,
    password_confirmation: z.string().max(1000),
  })
  .refine((body) => body.password === body.password_confirmation, {
    path: ['password_confirmation'],
    message: 'Passwords do not match.',
  })

export const LoginSession = z.object({
  id: z.uuid(),
  /** Such as 'Firefox on Windows'; null where the browser did not say. */
  device: z.string().nullable(),
  began_at: Instant,
  /** To within a quarter of an hour. */
  last_used_at: Instant,
  /** Whether it is the one that asks. */
  current: z.boolean(),
})
export type LoginSession = z.infer<typeof LoginSession>

/** What people do with their own account. */
export const ownAccountEndpoints = defineEndpoints({
  'PUT /client/profile': {
    access: ['client'],
    summary: "Change the caller's name",
    body: z.object({ name: PersonName }),
    answer: ClientProfile,
  },
  'POST /client/change-email': {
    access: ['client'],
    summary:
      'Ask for another email address; it changes once the link mailed there is opened. The answer never says whether the address is taken',
    body: ChangeEmail,
    answer: Success,
  },
  'POST /client/confirm-email': {
    access: 'anyone',
    token: 'ignored',
    summary: 'Make a new address the account’s, by the link from the mail to it',
    body: z.object({ token: z.string().min(1).max(200) }),
    answer: ResetAnswer,
  },
  'POST /client/change-password': {
    access: ['client'],
    summary: 'Change the password; ends every other sign-in',
    body: ChangePassword,
    answer: Success,
  },
  'GET /client/login-sessions': {
    access: ['client'],
    summary: 'Where the account is signed in, last used first',
    answer: z.array(LoginSession),
  },
  'DELETE /client/login-sessions/{id}': {
    access: ['client'],
    owner: 'login_session',
    summary: 'End one sign-in',
    params: z.object({ id: z.uuid() }),
    answer: LoginSession,
  },
  'POST /client/logout-everywhere': {
    access: ['client'],
    summary: 'End every sign-in, this one too',
    answer: Success,
  },
})
