/** Where texts are kept by name: that of the tab, or a test's own. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const inMemory = new Map<string, string>()

/**
 * What this tab keeps across a reload. Where the reader's settings forbid storage, and where it is full, it lasts as long
 * as the page.
 */
export const tabStorage: TextStorage = {
  getItem(name) {
    try {
      return inMemory.get(name) ?? sessionStorage.getItem(name)
    } catch {
      return inMemory.get(name) ?? null
    }
  },
  setItem(name, text) {
    try {
      sessionStorage.setItem(name, text)
      inMemory.delete(name)
    } catch {
      inMemory.set(name, text)
    }
  },
  removeItem(name) {
    inMemory.delete(name)
    try {
      sessionStorage.removeItem(name)
    } catch {
      // Storage that may not be used holds nothing.
    }
  },
}

/** The names of all that this tab keeps. */
export function tabNames(): string[] {
  try {
    return [...inMemory.keys(), ...Object.keys(sessionStorage)]
  } catch {
    return [...inMemory.keys()]
  }
}
