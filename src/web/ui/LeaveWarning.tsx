import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Location, useBlocker } from 'react-router'
import { askBeforeLeaving } from '../lib/leaving.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

type Props = {
  isDirty: boolean
  /** Whether that still holds at the moment of leaving. */
  isUnsaved?: () => boolean
  /** Where leading to is not leaving. */
  isWithin(next: Location): boolean
  /** What becomes of it. */
  children: ReactNode
}

/** Asks before unsaved input is left by following a link, by the back button, by closing the window or by signing out. */
export function LeaveWarning({ isDirty, isUnsaved = always, isWithin, children }: Props) {
  const blocker = useBlocker(({ nextLocation }) => isDirty && isUnsaved() && !isWithin(nextLocation))
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

  const decide = (isLeft: boolean) => {
    answer?.(isLeft)
    setAnswer(undefined)
    if (isLeft) blocker.proceed?.()
    else blocker.reset?.()
  }
  return (
    <ConfirmDialog
      isOpen={blocker.state === 'blocked' || answer !== undefined}
      onClose={() => decide(false)}
      title="Leave without saving?"
      confirmLabel="Leave without saving"
      cancelLabel="Stay here"
      isDangerous
      onConfirm={() => decide(true)}
    >
      {children}
    </ConfirmDialog>
  )
}

const always = () => true
