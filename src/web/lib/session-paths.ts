/** How long before the start of a session its room can be joined, in milliseconds. */
export const joinLead = 15 * 60_000

/** The page of one session, for its client and its practitioner alike. */
export function sessionPath(appointmentId: string): string {
  return `/session?appointment=${encodeURIComponent(appointmentId)}`
}

/** The room of an online session. It is entered by a full page load. */
export function roomPath(appointmentId: string): string {
  return `/session-room?appointment=${encodeURIComponent(appointmentId)}`
}

/** What the office finds a session by. */
export const sessionReference = (appointmentId: string): string => appointmentId.slice(0, 8).toUpperCase()
