/*
 * The token of a link in a mail. It is taken out of the address at once and kept in this tab alone, so that it survives a
 * sign-in, by whichever way, without being part of any address that is sent to a server.
 */

const keyOf = (pathname: string) => `mailed-token-${pathname.split('/').at(-1) ?? ''}`

/** The token in an address: in its fragment, or in its query, where older mails have it. */
export function tokenInAddress({ search, hash }: { search: string; hash: string }): string | null {
  return new URLSearchParams(hash.slice(1)).get('token') ?? new URLSearchParams(search).get('token')
}

/** Keeps the token of a page in this tab. False where the reader's settings forbid it: it then stays in the address. */
export function keepMailedToken(pathname: string, token: string): boolean {
  try {
    sessionStorage.setItem(keyOf(pathname), token)
    return true
  } catch {
    return false
  }
}

export function readMailedToken(pathname: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(pathname))
  } catch {
    return null
  }
}

export function forgetMailedToken(pathname: string): void {
  try {
    sessionStorage.removeItem(keyOf(pathname))
  } catch {
    // Storage that may not be used holds nothing.
  }
}
