import { useEffect, useRef, useState } from 'react'
import { askBeforeLeaving } from '../lib/leaving.ts'

/** For what stays unsaved until it is saved. */
export const always = () => true

/**
 * Asks before the window is closed or the person signs out. The browser asks for a window; signing out waits for `decide`
 * while `isAsked`.
 */
export function useLeaveQuestion(
  isDirty: boolean,
  isUnsaved: () => boolean = always,
): { isAsked: boolean; decide(isLeft: boolean): void } {
  const [answer, setAnswer] = useState<(mayLeave: boolean) => void>()
  const wasAllowed = useRef(false)
  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (event: BeforeUnloadEvent) => {
      if (isUnsaved() && !wasAllowed.current) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    const stopAsking = askBeforeLeaving(async () => {
      if (!isUnsaved()) return true
      wasAllowed.current = await new Promise<boolean>((resolve) => setAnswer(() => resolve))
      return wasAllowed.current
    })
    return () => {
      window.removeEventListener('beforeunload', ask)
      stopAsking()
    }
  }, [isDirty, isUnsaved])

  return {
    isAsked: answer !== undefined,
    decide(isLeft) {
      answer?.(isLeft)
      setAnswer(undefined)
    },
  }
}
