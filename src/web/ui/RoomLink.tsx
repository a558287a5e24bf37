import type { ReactNode } from 'react'
import type { SessionRoom } from '#contract/bookings/bookings.ts'
import { type ButtonLook, buttonLook } from './button-look.ts'

type Props = ButtonLook & {
  room: SessionRoom | null
  /** What a screen reader reads after the label: 'with Alex M.' */
  session: string
  children: ReactNode
}

/**
 * The way into the room of an online session that was not ended yet. The room of this product opens in the same tab, by a full page load: its
 * address alone may use camera and microphone. The practitioner's own room opens in a new tab.
 */
export function RoomLink({ room, session, children, ...look }: Props) {
  if (!room?.link || room.ended_at) return null
  const isElsewhere = room.kind === 'own'
  return (
    <a
      href={room.link}
      {...(isElsewhere && { target: '_blank', rel: 'noreferrer' })}
      className={buttonLook(look)}
    >
      {children}
      <span className="sr-only">
        {` ${session}`}
        {isElsewhere && ', opens in a new tab'}
      </span>
    </a>
  )
}
