import { useEffect, useState } from 'react'
import { type MiddlewareFunction, redirect, useLocation, useNavigate } from 'react-router'
import { hasReturnPath, withReturnPath } from './return-to.ts'
import { readSession, type SignedIn, useSession } from './session.ts'

const signInPaths: Record<SignedIn['role'], string> = {
  client: '/sign-in',
  therapist: '/therapist/sign-in',
  admin: '/admin/sign-in',
}

/**
 * Client middleware of a layout route: admits these roles to the pages below. Redirects others to the sign-in page of the
 * first role, from where they come back. A convenience: the server alone decides what a caller may do, from the token.
 */
export function admit(first: SignedIn['role'], ...others: SignedIn['role'][]): MiddlewareFunction[] {
  const roles: string[] = [first, ...others]
  return [
    ({ request }) => {
      if (!roles.includes(readSession().role)) {
        throw redirect(withReturnPath(signInPaths[first], new URL(request.url)))
      }
    },
  ]
}

/**
 * For pages of clients that visitors may read: where a signed-in therapist is sent, undefined for others. Pages rendered on
 * the server know who is signed in only once they are alive, after a layout's middleware.
 */
export function useTherapistRedirect(): string | undefined {
  const { role } = useSession()
  const location = useLocation()
  return role === 'therapist' ? withReturnPath(signInPaths.client, location) : undefined
}

/**
 * For sign-in pages: leads a person on who comes from a mail and is signed in already. One who signs in here goes on by
 * the form.
 */
export function useGoOn(role: SignedIn['role'], returnTo: string): void {
  const navigate = useNavigate()
  const { search } = useLocation()
  const [wasSignedIn] = useState(() => readSession().role === role)
  useEffect(() => {
    if (wasSignedIn && hasReturnPath(search)) void navigate(returnTo, { replace: true })
  }, [wasSignedIn, search, returnTo, navigate])
}
