/** The page that opens the one dialog with a practitioner, after signing in where that is needed. */
export function startChatPath(practitionerId: number): string {
  return `/chats?with=${practitionerId}`
}

/** The page that opens the dialog of a practitioner with the client of a session of theirs. */
export function messageClientPath(appointmentId: string): string {
  return `/chats?session=${appointmentId}`
}

/** A dialog's own page. */
export function chatPath(dialogId: string): string {
  return `/chat?dialogId=${encodeURIComponent(dialogId)}`
}
