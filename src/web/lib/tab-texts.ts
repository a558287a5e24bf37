import { tabNames, tabStorage } from './tab-storage.ts'

/*
 * Texts that the server does not have yet, kept in this tab alone: a reload loses nothing, and closing the tab or signing
 * out leaves nothing behind.
 */

/** Before the name of all in the tab's storage that signing out removes. */
export const tabTextPrefix = 'written-'

/** The text kept under this name, or null. */
export function readTabText(name: string): string | null {
  return tabStorage.getItem(tabTextPrefix + name)
}

/** Keeps a text until the tab is closed; `undefined` removes it. */
export function keepTabText(name: string, text: string | undefined): void {
  if (text === undefined) tabStorage.removeItem(tabTextPrefix + name)
  else tabStorage.setItem(tabTextPrefix + name, text)
}

/** Whether any text is kept. */
export function hasTabTexts(): boolean {
  return tabNames().some((name) => name.startsWith(tabTextPrefix))
}

/** Forgets every text but those whose name `stays`. */
export function forgetTabTexts(stays: (name: string) => boolean = () => false): void {
  for (const name of tabNames()) {
    if (name.startsWith(tabTextPrefix) && !stays(name.slice(tabTextPrefix.length)))
      tabStorage.removeItem(name)
  }
}

/** Forgets the texts of a kind, all of whose names begin with it, but for those of its owner: another account may have signed in. */
export function forgetTextsBeside(kind: string, own: string): void {
  forgetTabTexts((name) => !name.startsWith(kind) || name.startsWith(own))
}

/** Before the names of all forms' texts, and before those of one account, which may change its email. */
export const formTexts = { of: (email: string | undefined) => `form-${email}-`, all: 'form-' }

/** Has the texts whose names begin with one word begin with another. */
export function renameTabTexts(from: string, to: string): void {
  for (const name of tabNames()) {
    if (!name.startsWith(tabTextPrefix + from)) continue
    keepTabText(to + name.slice((tabTextPrefix + from).length), tabStorage.getItem(name) ?? undefined)
    tabStorage.removeItem(name)
  }
}
