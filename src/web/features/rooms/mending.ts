/** The pause before the second restart of a lost connection, in milliseconds. Each further pause is half as long again. */
const firstPause = 4000
const longestPause = 8000
/** Restarts that are asked for closer together are one, in milliseconds. */
const shortestPause = 1000

/** Repeats a restart for as long as a connection is lost. */
export function createMender(restart: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let pause = firstPause
  let restartedAt = Number.NEGATIVE_INFINITY

  function again(): void {
    clearTimeout(timer)
    timer = setTimeout(again, pause)
    pause = Math.min(longestPause, pause * 1.5)
    restartedAt = Date.now()
    restart()
  }

  return {
    /** The connection is lost. */
    start(): void {
      if (timer === undefined) again()
    },

    /** Something has changed that makes a restart worth while: it happens now, and the pauses begin anew. */
    now(): void {
      if (Date.now() - restartedAt < shortestPause) return
      pause = firstPause
      again()
    },

    /** The connection is back, or is given up. */
    stop(): void {
      clearTimeout(timer)
      timer = undefined
      pause = firstPause
    },
  }
}
