import type { Session } from '#contract/sessions.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatDayAndTime, formatTime, viewerZone } from '#web/lib/time.ts'
import { Countdown } from '#web/ui/Countdown.tsx'
import { buttonLook, type ButtonLook } from '#web/ui/button-look.ts'
import { joinableBefore, type Moment } from './session-moment.ts'

type Props = { session: Session; moment: Moment }

/** How long a session still runs, when it begins, or that it is over. */
export function SessionClock({ session: { starts_at, ends_at }, moment }: Props) {
  const zone = viewerZone()
  switch (moment) {
    case 'live':
      return <Countdown until={ends_at} label="Time left" />
    case 'soon':
      return <Countdown until={starts_at} label="Begins in" />
    case 'ahead':
      return <span>Begins {formatDayAndTime(starts_at, zone, serverNow())}</span>
    case 'over':
      return <span>Ended at {formatTime(ends_at, zone)}</span>
    case 'cancelled':
      return <span>Cancelled</span>
    case 'frozen':
      return <span>Being checked</span>
    case 'missed':
      return <span>Marked as missed</span>
    default:
      return moment satisfies never
  }
}

/** The way into the online room, from shortly before the start until the end. */
export function JoinRoom({ session, moment, ...look }: Props & ButtonLook) {
  const { meeting_link, other } = session
  if (!meeting_link || (moment !== 'soon' && moment !== 'live')) return null
  return (
    <a href={meeting_link} target="_blank" rel="noreferrer" className={buttonLook(look)}>
      Join the room
      <span className="sr-only"> with {other.name}, opens in a new tab</span>
    </a>
  )
}

/** From when the room can be joined: '14:45'. */
export function joinableFrom({ starts_at }: Session): string {
  return formatTime(Date.parse(starts_at) - joinableBefore, viewerZone())
}
