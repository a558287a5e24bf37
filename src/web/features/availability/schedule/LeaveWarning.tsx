import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'

/** Handed over with a navigation that follows from saving: it is not asked about. */
export const savedState = { scheduleSaved: true }

/** Asks before unsaved changes are lost by following a link, by the back button or by closing the window. */
export function LeaveWarning({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty &&
      currentLocation.pathname !== nextLocation.pathname &&
      (nextLocation.state as Partial<typeof savedState> | null)?.scheduleSaved !== true,
  )
  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty])
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
      <p>What you changed on this page is not saved yet.</p>
    </ConfirmDialog>
  )
}
