import type { ReactNode } from 'react'
import { type Location, useBlocker } from 'react-router'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { readSession } from '../lib/session.ts'
import { always, useLeaveQuestion } from './use-leave-question.ts'

type Props = {
  isDirty: boolean
  /** Whether that still holds at the moment of leaving. */
  isUnsaved?: () => boolean
  /** Where leading to is not leaving. */
  isWithin(next: Location): boolean
  /** Called when the reader leaves all the same. */
  onLeave?(): void
  /** What becomes of it. */
  children: ReactNode
}

/**
 * Asks before unsaved input is left by following a link, by the back button, by closing the window or by signing out. It
 * does not ask once the sign-in has ended: the page has then lost what it showed, and only signing in leads on.
 */
export function LeaveWarning({ isDirty, isUnsaved = always, isWithin, onLeave, children }: Props) {
  const blocker = useBlocker(
    ({ nextLocation }) =>
      isDirty && isUnsaved() && !isWithin(nextLocation) && readSession().role !== 'anonymous',
  )
  const question = useLeaveQuestion(isDirty, isUnsaved)

  const decide = (isLeft: boolean) => {
    question.decide(isLeft)
    if (isLeft) onLeave?.()
    if (isLeft) blocker.proceed?.()
    else blocker.reset?.()
  }
  return (
    <ConfirmDialog
      isOpen={blocker.state === 'blocked' || question.isAsked}
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
