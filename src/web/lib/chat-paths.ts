/** The page that opens the one dialog with a practitioner, after signing in where that is needed. */
export function startChatPath(practitionerId: number): string {
  return `/chats?with=${practitionerId}`
}

/** A dialog's own page. */
export function chatPath(dialogId: string): string {
  return `/chat?dialogId=${encodeURIComponent(dialogId)}`
}
