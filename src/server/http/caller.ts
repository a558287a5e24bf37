import type { Role } from '#contract/endpoint.ts'

/** Whoever makes a request, as the server knows them from the token. */
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

/** Where a request comes from: the address for limits, the device for the list of sign-ins. */
export type Origin = { address: string; device: string | null }
