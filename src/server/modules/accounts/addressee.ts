import type { Role } from '#contract/endpoint.ts'
import type { Addressee } from './accounts.mails.ts'

/** Whom a mail about an account goes to. */
export const addressee = (account: {
  email: string
  first_name: string
  role: Role
  email_verified_at: Date | null
}): Addressee => ({
  email: account.email,
  firstName: account.first_name,
  role: account.role,
  isConfirmed: account.email_verified_at !== null,
})
