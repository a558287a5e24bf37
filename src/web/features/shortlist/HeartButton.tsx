import { IconHeart, IconHeartFilled } from '@tabler/icons-react'
import { messageOf } from '#web/lib/api-error.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { useSession } from '#web/lib/session.ts'
import { classes } from '#web/ui/classes.ts'
import { iconButtonLook } from '#web/ui/IconButton.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { save, takeOff, useShortlist } from './shortlist-store.ts'

/**
 * Saves a practitioner on the shortlist, or takes them off. 44 pixels wide and high; an empty place of that size until
 * the page is alive. Not for practitioners and admins.
 */
export function HeartButton({ practitionerId, name }: { practitionerId: number; name: string }) {
  const { role } = useSession()
  const isAlive = useHydrated()
  const { ids } = useShortlist()
  if (role === 'therapist' || role === 'admin') return null
  if (!isAlive) return <span className="size-11 shrink-0" />
  const isSaved = ids.includes(practitionerId)
  const Heart = isSaved ? IconHeartFilled : IconHeart
  return (
    <button
      type="button"
      aria-pressed={isSaved}
      aria-label={`Save ${name} to your shortlist`}
      onClick={() => {
        const change = isSaved ? takeOff([practitionerId]) : save(practitionerId)
        change.catch((error: unknown) => showToast(messageOf(error), 'danger'))
      }}
      className={classes(iconButtonLook, isSaved ? '!text-ember-text' : '', 'shrink-0')}
    >
      <Heart aria-hidden size={24} />
    </button>
  )
}
