/**
 * Makes works on one subject wait for each other, in the order they came, within this process. A work that fails lets
 * the next one go on.
 */
export function createTurns(): <T>(subject: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (subject, work) => {
    const before = last.get(subject) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(subject, mine)
    try {
      return await mine
    } finally {
      if (last.get(subject) === mine) last.delete(subject)
    }
  }
}
