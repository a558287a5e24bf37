import type { Session } from '#contract/sessions.ts'
import { serverNow } from '#web/lib/clock.ts'
import { joinLead } from '#web/lib/session-paths.ts'
import { formatDayAndTime, formatTime, viewerZone } from '#web/lib/time.ts'
import { Countdown } from '#web/ui/Countdown.tsx'
import { RoomLink } from '#web/ui/RoomLink.tsx'
import type { ButtonLook } from '#web/ui/button-look.ts'
import type { Moment } from './session-moment.ts'

type Props = { session: Session; moment: Moment }

/** How long a session still runs, when it begins, or that it is over. */
export function SessionClock({ session: { starts_at, ends_at, room }, moment }: Props) {
  const zone = viewerZone()
  switch (moment) {
    case 'live':
      return <Countdown until={ends_at} label="Time left" />
    case 'soon':
      return <Countdown until={starts_at} label="Begins in" />
    case 'ahead':
      return <span>Begins {formatDayAndTime(starts_at, zone, serverNow())}</span>
    case 'over':
      return <span>Ended at {formatTime(room?.ended_at ?? ends_at, zone)}</span>
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
  const { room, other } = session
  if (moment !== 'soon' && moment !== 'live') return null
  return (
    <RoomLink room={room} session={`with ${other.name}`} {...look}>
      Join the room
    </RoomLink>
  )
}

/** From when the room can be joined: '14:45'. */
export function joinableFrom({ starts_at }: Session): string {
  return formatTime(Date.parse(starts_at) - joinLead, viewerZone())
}
