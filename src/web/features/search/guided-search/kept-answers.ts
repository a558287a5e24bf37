import { type TextStorage, tabStorage } from '#web/lib/tab-storage.ts'
import { tabTextPrefix } from '#web/lib/tab-texts.ts'

/*
 * The visitor's answers, in this tab alone: a reload continues at the same step, and no address, log or other window has
 * them. Signing out removes them, and so does a sign-in of another account.
 */

export type KeptAnswers = {
  /** `therapy_category_id`. */
  categoryId: number
  /** Answer ids by question id. */
  answers: Record<string, number>
  /** Questions whose answer asked for a call first, and after which the reader went on all the same. */
  wentOn?: number[]
}

const storageKey = `${tabTextPrefix}guidedSearch`

export function readAnswers(storage: TextStorage = tabStorage): KeptAnswers | undefined {
  try {
    const kept: unknown = JSON.parse(storage.getItem(storageKey) ?? 'null')
    return isKept(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

export function keepAnswers(kept: KeptAnswers, storage: TextStorage = tabStorage): void {
  storage.setItem(storageKey, JSON.stringify(kept))
}

export function forgetAnswers(storage: TextStorage = tabStorage): void {
  storage.removeItem(storageKey)
}

function isKept(kept: unknown): kept is KeptAnswers {
  if (typeof kept !== 'object' || kept === null || !('categoryId' in kept) || !('answers' in kept))
    return false
  if ('wentOn' in kept && !Array.isArray(kept.wentOn)) return false
  const { categoryId, answers } = kept
  return (
    typeof categoryId === 'number' &&
    typeof answers === 'object' &&
    answers !== null &&
    Object.values(answers).every((id) => typeof id === 'number')
  )
}
