import { clockPlace, type InstantLike, type OtherClock, otherClocks } from '#web/lib/time.ts'
import { classes } from './classes.ts'

type Props = {
  startsAt: InstantLike
  endsAt?: InstantLike
  /** The zone of the time beside it. */
  zone: string
  others: readonly OtherClock[]
  /** Whose the time beside it is; null where that stands elsewhere on the page. */
  own?: string | null
  className?: string
}

/** The clocks of both sides of a session, wherever they differ: yours, which the time beside it goes by, and theirs. */
export function SessionClocks({ startsAt, endsAt, zone, others, own = 'Your time', className }: Props) {
  const clocks = otherClocks({ startsAt, endsAt }, zone, others)
  if (clocks.length === 0) return null
  return (
    <span className={classes('block', className)}>
      {own !== null && <span className="block">{`${own}: ${clockPlace(zone, startsAt)}`}</span>}
      {clocks.map(({ whose, time, place }) => (
        <span key={whose} className="block">
          {`${whose}: `}
          <span className="unbroken tabular-nums">{time}</span>
          {`, ${place}`}
        </span>
      ))}
    </span>
  )
}
