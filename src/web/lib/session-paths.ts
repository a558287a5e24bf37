/** How long before the start of a session its room can be joined, in milliseconds. */
export const joinLead = 15 * 60_000

/** The page of one session, for its client and its practitioner alike. */
export function sessionPath(appointmentId: string): string {
  return `/session?appointment=${encodeURIComponent(appointmentId)}`
}
