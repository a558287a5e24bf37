/*
 * Texts that the server does not have yet, kept in this tab alone: a reload loses nothing, and closing the tab or signing
 * out leaves nothing behind.
 */

const prefix = 'written-'

/** The text kept under this name, or null. */
export function readTabText(name: string): string | null {
  try {
    return sessionStorage.getItem(prefix + name)
  } catch {
    return null
  }
}

/** Keeps a text until the tab is closed; `undefined` removes it. */
export function keepTabText(name: string, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(prefix + name)
    else sessionStorage.setItem(prefix + name, text)
  } catch {
    // Storage may be forbidden or full; what is written then lasts as long as the page.
  }
}

/** Forgets every text but those whose name `stays`. */
export function forgetTabTexts(stays: (name: string) => boolean = () => false): void {
  try {
    const keys = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? '')
    for (const key of keys) {
      if (key.startsWith(prefix) && !stays(key.slice(prefix.length))) sessionStorage.removeItem(key)
    }
  } catch {
    // Storage that may not be used holds nothing.
  }
}
