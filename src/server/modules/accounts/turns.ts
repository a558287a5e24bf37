type Turns = <T>(subject: string, work: () => Promise<T>) => Promise<T>

/**
 * Makes works on one subject wait for each other, in the order they came, within this process. A work that fails lets
 * the next one go on.
 */
export function createTurns(): Turns {
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

type Gate = <T>(subject: string, room: () => Promise<number>, work: () => Promise<T>) => Promise<T>

/**
 * Lets no more works on one subject run at a time, within this process, than there is room for; the others wait. So
 * even if all of those that run use up their room, nobody goes beyond it. `room` throws when there is none left.
 */
export function createGate(): Gate {
  const inTurn = createTurns()
  const running = new Map<string, Set<Promise<unknown>>>()
  return async (subject, room, work) => {
    const mine = Promise.withResolvers<void>()
    await inTurn(subject, async () => {
      for (;;) {
        // Counted before the room is read: whoever ends in between is in one of the two at least.
        const others = [...(running.get(subject) ?? [])]
        if (others.length < (await room())) break
        await Promise.race(others)
      }
      running.set(subject, (running.get(subject) ?? new Set()).add(mine.promise))
    })
    try {
      return await work()
    } finally {
      const others = running.get(subject)
      others?.delete(mine.promise)
      if (others?.size === 0) running.delete(subject)
      mine.resolve()
    }
  }
}
