/** Asks the reader; resolves to whether the page may be left. */
type Question = () => Promise<boolean>

const questions = new Set<Question>()

/** Has a page asked before it is left by other ways than a link. Returns the function that ends it. */
export function askBeforeLeaving(question: Question): () => void {
  questions.add(question)
  return () => questions.delete(question)
}

/** Whether every open page that keeps unsaved input may be left. */
export async function mayLeave(): Promise<boolean> {
  for (const question of questions) if (!(await question())) return false
  return true
}
