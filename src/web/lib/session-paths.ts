/** The page of one session, for its client and its practitioner alike. */
export function sessionPath(appointmentId: string): string {
  return `/session?appointment=${encodeURIComponent(appointmentId)}`
}
