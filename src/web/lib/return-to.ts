/** Pages that one does not come back to after signing in. */
export const entrances =
  /^\/(?:(therapist|admin)\/)?(sign-in|sign-up|forgot-password|reset-password)(?=[/?#]|$)/

/**
 * A path on this site to go back to, or the fallback. Anything that a browser could read as another origin is refused:
 * a scheme, two slashes, a backslash, a control character.
 */
export function safeReturnPath(wanted: string | null | undefined, fallback = '/'): string {
  if (!wanted?.startsWith('/') || wanted.startsWith('//')) return fallback
  // oxlint-disable-next-line no-control-regex -- browsers drop tabs and line breaks in an address, which would turn /<tab>/ into //
  if (/[\\\u0000-\u001f\u007f]/.test(wanted)) return fallback
  return entrances.test(wanted) ? fallback : wanted
}

/** `signInPath` with the way back, such as `/sign-in?return_to=%2Fmy-sessions`. */
export function withReturnPath(
  signInPath: string,
  from: { pathname: string; search?: string; hash?: string },
): string {
  const path = safeReturnPath(`${from.pathname}${from.search ?? ''}${from.hash ?? ''}`)
  return path === '/' ? signInPath : `${signInPath}?return_to=${encodeURIComponent(path)}`
}

/** Whether the address of a sign-in page names a page to go on to, as those in mails do. */
export function hasReturnPath(search: string): boolean {
  return new URLSearchParams(search).has('return_to')
}

/** Whether a page is one of clients and practitioners alike. */
export function isForBothRoles(path: string): boolean {
  return /^\/(chats?|session|session-room|verify-email)(\?|$)/.test(path)
}
