import type { Role } from '#contract/endpoint.ts'

// Formats words and links in mails.

/** A page behind the sign-in of a role. A new tab starts signed out, so that links lead through the sign-in and back. */
export const signInUrl = (publicUrl: string, role: Role, path: string): string =>
  `${publicUrl}${role === 'client' ? '' : `/${role}`}/sign-in?return_to=${encodeURIComponent(path)}`

/** With its first letter large. */
export const capitalised = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

/** Where a client pays for a session that could not be charged. `sequence`: as for `sessionPath`. */
export const payPath = (appointmentId: string, sequence?: number) =>
  `/pay?${aboutAppointment(appointmentId, sequence)}`

/**
 * The page of a session, for its client and its practitioner alike. A mail gives the session's `sequence` at the time
 * it is composed, so that the page can tell that the session has changed since.
 */
export const sessionPath = (appointmentId: string, sequence?: number) =>
  `/session?${aboutAppointment(appointmentId, sequence)}`

const aboutAppointment = (id: string, sequence: number | undefined) =>
  `appointment=${id}${sequence === undefined ? '' : `&sequence=${sequence}`}`
