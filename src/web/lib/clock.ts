/** Milliseconds by which the server's clock is ahead of this device's. */
let ahead = 0

/** Below this the difference is the network's and the header's whole seconds. */
const toleratedMilliseconds = 2000

/** Learns from the `Date` header of an answer how wrong this device's clock is. */
export function noteServerDate(header: string | null): void {
  const there = header ? Date.parse(header) : Number.NaN
  if (Number.isNaN(there)) return
  const difference = there - Date.now()
  ahead = Math.abs(difference) > toleratedMilliseconds ? difference : 0
}

/** Epoch milliseconds by the server's clock: deadlines are its own, and a phone's clock may be minutes out. */
export function serverNow(): number {
  return Date.now() + ahead
}
