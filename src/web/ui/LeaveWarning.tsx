import { type ReactNode, useEffect } from 'react'
import { type Location, useBlocker } from 'react-router'
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

/** Asks before unsaved input is left by following a link, by the back button or by closing the window. */
export function LeaveWarning({ isDirty, isUnsaved = always, isWithin, children }: Props) {
  const blocker = useBlocker(({ nextLocation }) => isDirty && isUnsaved() && !isWithin(nextLocation))
  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (event: BeforeUnloadEvent) => {
      if (isUnsaved()) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty, isUnsaved])
  return (
    <ConfirmDialog
      isOpen={blocker.state === 'blocked'}
      onOpenChange={(isOpen) => !isOpen && blocker.reset?.()}
      title="Leave without saving?"
      confirmLabel="Leave without saving"
      cancelLabel="Stay here"
      isDangerous
      onConfirm={() => blocker.proceed?.()}
    >
      {children}
    </ConfirmDialog>
  )
}

const always = () => true
