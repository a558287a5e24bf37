/**
 * Requests of this process that are about to hold a time, by practitioner and start. Of several clients who want one time
 * at once, the first goes to the database and the others wait for the answer: where that client has got the time, they
 * need not ask, since it was taken while they waited. Where not, all of them ask at once. Only spares the database work:
 * its constraints decide, also between processes.
 */
export function createContest() {
  const running = new Map<string, { clientId: string; isHeld: Promise<boolean> }>()

  /** Calls `hold`, or returns undefined where a request of another client was first and has got the time. */
  return async function contest<T>(
    wanted: { practitionerId: number; clientId: string; startsAt: Date },
    hold: () => Promise<T>,
  ): Promise<T | undefined> {
    const key = `${wanted.practitionerId} ${wanted.startsAt.getTime()}`
    const first = running.get(key)
    // A client's own hold is replaced by the next, which the database does.
    if (first && first.clientId !== wanted.clientId && (await first.isHeld)) return undefined
    const held = hold()
    if (running.has(key)) return held
    const isHeld = held.then(
      () => true,
      () => false,
    )
    running.set(key, { clientId: wanted.clientId, isHeld })
    try {
      return await held
    } finally {
      running.delete(key)
    }
  }
}
