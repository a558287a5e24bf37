import { days, hours, later, minutes, seconds } from '../../clock.ts'

/** Roles that register themselves and receive mails. */
export type MailedRole = 'client' | 'therapist'

/** Lifetimes of tokens, links and mails. */
export const lifetimes = {
  accessToken: minutes(15),
  refreshToken: days(30),
  /** The back office reads what is private to others: a sign-in that was left open ends before the next day of work. */
  adminRefreshToken: hours(12),
  /** How long a spent refresh token returns its successor again, for parallel calls, duplicated tabs and retries. */
  refreshGrace: seconds(30),
  passwordReset: hours(1),
  emailVerification: days(7),
  emailChange: hours(24),
  /** The flow to a provider's pages and back. */
  identity: minutes(15),
  /** From the provider's callback until the page exchanges its one-time code. */
  identityCode: minutes(2),
  /** How long an unsent mail is retried. */
  mail: days(1),
}

/** The address of a page that clients and practitioners have each at a path of their own. */
export function accountPage(publicUrl: string, role: string, page: string): string {
  return `${publicUrl}${role === 'client' ? '' : `/${role}`}/${page}`
}

/**
 * The address of a page with a mailed token. The token is in the fragment, which browsers send to no server: it is in no
 * log and no Referer header, and a program that fetches the link does not even hand it over.
 */
export function withToken(page: string, token: string): string {
  return `${page}#token=${token}`
}

/** A client's one name field: the first word is the first name. */
export function splitName(name: string): { first_name: string; last_name: string } {
  const [first = '', ...rest] = name.trim().split(/\s+/)
  return { first_name: first, last_name: rest.join(' ') }
}

type RefreshToken = { expires_at: Date; spent_at: Date | null; ended_at: Date | null }

/**
 * Decides what happens to a refresh token that a client sends: `rotate` it, send its successor again (`repeat`),
 * `refuse` it, or treat it as stolen and end its sign-in session (`reuse`).
 */
export function judgeRefresh(
  token: RefreshToken | undefined,
  now: Date,
): 'rotate' | 'repeat' | 'refuse' | 'reuse' {
  if (!token || token.ended_at || token.expires_at <= now) return 'refuse'
  if (!token.spent_at) return 'rotate'
  return now <= later(token.spent_at, lifetimes.refreshGrace) ? 'repeat' : 'reuse'
}

export type SessionRow = {
  id: string
  family_id: string | null
  device: string | null
  created_at: Date
  last_used_at: Date
}

/** Sign-ins by the browser that they belong to. Each keeps the order of the rows, and so do the families. */
export function familiesOf(rows: readonly SessionRow[]): SessionRow[][] {
  return [...Map.groupBy(rows, (row) => row.family_id ?? row.id).values()]
}

/** For how many years after the tax year that they belong to records of payments are kept. */
const yearsKept = 6

/**
 * Records from before this instant need not be kept any more: those of tax years that ended more than six years ago. A
 * tax year of the UK begins on 6 April.
 */
export function keptSince(now: Date): Date {
  const year = now.getUTCFullYear()
  const begun = now.getTime() >= Date.UTC(year, 3, 6) ? year : year - 1
  return new Date(Date.UTC(begun - yearsKept, 3, 6))
}

/** What the mails about an account are about, in the outbox. */
export const aboutAccount = (id: string) => ({ type: 'account', id })
/** Mails about a change of email that is not confirmed yet. */
export const changeOfEmailMails = ['account.change_email', 'account.change_asked']
