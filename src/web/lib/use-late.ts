import { useEffect, useState } from 'react'

/** Whether something has been going on for long enough to say so. @param after milliseconds */
export function useLate(isGoingOn: boolean, after = 500): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isGoingOn) return undefined
    const timer = setTimeout(() => setLate(true), after)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isGoingOn, after])
  return isLate && isGoingOn
}
