import type { Role } from '#contract/endpoint.ts'

/** A caller without a sign-in session. */
export type Visitor = { role: 'visitor' }
export type SignedIn = {
  role: Role
  accountId: string
  loginSessionId: string
  /** An admin who has to set up a second factor before anything else. */
  needsSecondFactor?: boolean
}
export type Caller = Visitor | SignedIn

export const visitor: Visitor = { role: 'visitor' }

/** Where a request comes from: address and browser for limits, the device for the list of sign-ins. */
export type Origin = { address: string; device: string | null; browser: Browser }

/** What a browser keeps of the accounts that were signed in to in it; see `known-browser.ts`. */
export type Browser = {
  marks: readonly string[]
  keep(marks: readonly string[]): void
  /** By which it stays signed in; see `device-cookie.ts`. */
  deviceToken: string | undefined
  /** Whether it is to stay signed in from this sign-in on. */
  stays: boolean
  /** Exchanges the token that it keeps for another one, or for none. */
  keepDevice(role: 'client' | 'therapist', token: string | undefined): void
}
/** A browser keeps marks of so many accounts, those signed in to last, and for the longest that browsers keep a cookie. */
export const marksKept = 5
export const marksLastDays = 400
/** A browser stays signed in for so long after its last new tab. */
export const deviceLastsDays = 30
