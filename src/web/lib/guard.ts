import { redirect } from 'react-router'
import { withReturnPath } from './return-to.ts'
import { readSession, type Session } from './session.ts'

/*
 * Conveniences for client loaders. The server alone decides what a caller may do, from the token.
 */

/** Lets clients in; others are sent to sign in and come back. */
export function requireClient(request: Request): Extract<Session, { role: 'client' }> {
  const session = readSession()
  if (session.role !== 'client') throw redirect(withReturnPath('/sign-in', new URL(request.url)))
  return session
}

/**
 * Lets clients in at their own pages, and practitioners in at the same pages below /therapist; others are sent to sign in
 * and come back.
 */
export function requireAccount(request: Request): Extract<Session, { role: 'client' | 'therapist' }> {
  const { pathname } = new URL(request.url)
  return pathname.startsWith('/therapist/') ? requireTherapist(request) : requireClient(request)
}

/** Lets admins in; others are sent to sign in and come back. */
export function requireAdmin(request: Request): Extract<Session, { role: 'admin' }> {
  const session = readSession()
  if (session.role !== 'admin') throw redirect(withReturnPath('/admin/sign-in', new URL(request.url)))
  return session
}

/** Lets practitioners in; others are sent to sign in and come back. */
export function requireTherapist(request: Request): Extract<Session, { role: 'therapist' }> {
  const session = readSession()
  if (session.role !== 'therapist') throw redirect(withReturnPath('/therapist/sign-in', new URL(request.url)))
  return session
}

/** Lets those in who have chats, clients and practitioners; others are sent to sign in and come back. */
export function requireChatter(request: Request): Extract<Session, { role: 'client' | 'therapist' }> {
  const session = readSession()
  if (session.role !== 'client' && session.role !== 'therapist')
    throw redirect(withReturnPath('/sign-in', new URL(request.url)))
  return session
}
