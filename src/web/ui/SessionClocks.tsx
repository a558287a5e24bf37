import { clockPlace, type InstantLike, type OtherClock, otherClocks, viewerZone } from '#web/lib/time.ts'
import { classes } from './classes.ts'

type Props = {
  startsAt: InstantLike
  endsAt?: InstantLike
  /** The zone of the time beside it. */
  zone: string
  others: readonly OtherClock[]
  /** Whose the time beside it is; null where that stands elsewhere on the page. */
  own?: string | null
  /** Layout, and another look of its words. */
  className?: string
}

/** The clocks of both sides of a session, wherever they differ: yours, which the time beside it goes by, and theirs. */
export function SessionClocks({
  startsAt,
  endsAt,
  zone,
  others,
  own = 'Your time',
  className = 'text-sm text-soft',
}: Props) {
  const clocks = otherClocks({ startsAt, endsAt }, zone, others)
  if (clocks.length === 0) return null
  return (
    <span className={classes('block', className)}>
      {own !== null && <span className="block">{`${own}: ${clockPlace(zone, startsAt)}`}</span>}
      {clocks.map(({ whose, time, place }) => (
        <span key={whose} className="block">
          {`${whose}: `}
          <span className="unbroken tabular-nums">{time},</span>
          {` ${place}`}
        </span>
      ))}
    </span>
  )
}

/** The same for a client, beside a time by the reader's own clock. `zone` is the practitioner's. */
export function PractitionerClock({ zone, ...props }: Omit<Props, 'others' | 'own'>) {
  const others = [{ whose: 'Practitioner’s time', zone }]
  return <SessionClocks {...props} zone={viewerZone()} others={others} />
}
