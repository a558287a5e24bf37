import { useState } from 'react'

/** What a step says about a file that it needs, once its form was sent without it. */
export function useNeededFile(isMissing: boolean, message: string) {
  const [isMissed, setMissed] = useState(false)
  return {
    /** For `StepForm`. */
    check() {
      setMissed(isMissing)
      return !isMissing
    },
    error: isMissed && isMissing ? message : undefined,
  }
}
