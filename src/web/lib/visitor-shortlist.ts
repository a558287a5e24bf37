import { shortlistedByVisitor } from '#contract/shortlist-limits.ts'

/** A practitioner whom a visitor has saved, and when, in milliseconds. */
export type Saved = { id: number; at: number }

const storageKey = 'shortlist'
const keptMs = 30 * 24 * 60 * 60 * 1000

/** What a stored text holds that is younger than thirty days, the newest first. Anything else in it is left out. */
export function parseSaved(text: string | null, now: number): Saved[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    if (!Array.isArray(stored)) return []
    const saved = stored.flatMap((entry: Partial<Saved> | null) => {
      const { id, at } = entry ?? {}
      const isWhole = Number.isInteger(id) && Number(id) > 0 && Number.isFinite(at)
      return isWhole && Number(at) <= now && now - Number(at) < keptMs
        ? [{ id: Number(id), at: Number(at) }]
        : []
    })
    return saved.toSorted((a, b) => b.at - a.at).slice(0, shortlistedByVisitor)
  } catch {
    return []
  }
}

/** The list with one more, or the same list where that one stands in it already. Undefined when it is full. */
export function withSaved(saved: readonly Saved[], id: number, now: number): readonly Saved[] | undefined {
  if (saved.some((entry) => entry.id === id)) return saved
  return saved.length < shortlistedByVisitor ? [{ id, at: now }, ...saved] : undefined
}

/** The practitioners whom a visitor has saved in this browser. */
export function readVisitorShortlist(): Saved[] {
  try {
    return parseSaved(localStorage.getItem(storageKey), Date.now())
  } catch {
    return []
  }
}

/** Keeps the list in this browser. Does nothing where storage is forbidden by the reader's settings. */
export function keepVisitorShortlist(saved: readonly Saved[]): void {
  try {
    if (saved.length === 0) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, JSON.stringify(saved))
  } catch {
    // The list then lasts as long as the page.
  }
}

/** Calls the listener when another tab changes the list. Returns the unsubscribe function. */
export function onVisitorShortlist(listener: () => void): () => void {
  const heard = ({ key }: StorageEvent) => {
    if (key === storageKey || key === null) listener()
  }
  window.addEventListener('storage', heard)
  return () => window.removeEventListener('storage', heard)
}
