import { serverNow } from './clock.ts'

/** Milliseconds between two looks at the clock: timers stand still while a device sleeps, and a wrong clock may be set right. */
const lookEvery = 15_000

/** Calls `act` once an instant, in epoch milliseconds, has come by the server's clock. Returns the function that gives it up. */
export function whenItIs(instant: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    const wait = instant - serverNow()
    if (wait > 0) timer = setTimeout(look, Math.min(wait, lookEvery))
    else act()
  }
  look()
  return () => clearTimeout(timer)
}
