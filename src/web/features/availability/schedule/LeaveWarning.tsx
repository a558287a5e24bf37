import { useLocation } from 'react-router'
import { LeaveWarning as Warning } from '#web/ui/LeaveWarning.tsx'

/** Handed over with a navigation that follows from saving: it is not asked about. */
export const savedState = { scheduleSaved: true }

/** Asks before unsaved changes of the schedule, the booking rules or time off are lost. */
export function LeaveWarning({ isDirty, onLeave }: { isDirty: boolean; onLeave(): void }) {
  const { pathname } = useLocation()
  return (
    <Warning
      isDirty={isDirty}
      onLeave={onLeave}
      isWithin={(next) =>
        next.pathname === pathname ||
        (next.state as Partial<typeof savedState> | null)?.scheduleSaved === true
      }
    >
      <p>Your changes on this page have not been saved.</p>
    </Warning>
  )
}
