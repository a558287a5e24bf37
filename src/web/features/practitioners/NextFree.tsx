import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import type { InstantLike } from '#web/lib/time.ts'
import { formatWords } from '#web/lib/session-formats.ts'
import { classes } from '#web/ui/classes.ts'
import { nextFree, noTimesLabel, waitingFor, whenLabel } from './free-time.ts'

type Props = {
  next: PractitionerCard['next_available']
  waitlist?: PractitionerCard['waitlist'] | undefined
  zone: string
  now: InstantLike
  className?: string
}

/** The practitioner's next free time, in words. */
export function NextFree({ next, waitlist, zone, now, className }: Props) {
  const free = nextFree(next)
  return (
    <p className={classes('flex items-baseline gap-2', className)}>
      <span
        aria-hidden
        className={classes(
          'size-2.5 shrink-0 rounded-full border',
          free ? 'border-action bg-action' : 'border-edge bg-transparent',
        )}
      />
      {free ? (
        <span>
          Next free <strong className="font-semibold">{whenLabel(free.startsAt, zone, now)}</strong>,{' '}
          {formatWords[free.type]}
        </span>
      ) : (
        <span className="text-soft">
          {noTimesLabel(waitlist ? waitingFor({ next_available: next, waitlist }) : null)}
        </span>
      )}
    </p>
  )
}
