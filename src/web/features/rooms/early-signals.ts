/** How long a signal may wait for the connection that it is for, in milliseconds. */
export const keptFor = 10_000
const maxKept = 100

/**
 * Keeps signals that come before this page has its connection: the other side learns of the admission at another moment,
 * and would have to send them again.
 */
export function createEarlySignals<S extends { from: string }>() {
  let kept: { at: number; signal: S }[] = []
  return {
    keep(signal: S): void {
      kept = [...kept, { at: Date.now(), signal }].slice(-maxKept)
    },

    /** Returns the signals of a device in the order in which they came, and forgets all. */
    takeFrom(peerId: string): S[] {
      const earliest = Date.now() - keptFor
      const signals = kept
        .filter(({ at, signal }) => at >= earliest && signal.from === peerId)
        .map(({ signal }) => signal)
      kept = []
      return signals
    },
  }
}
