import type { ReactNode } from 'react'
import type { Attendance } from '#contract/rooms/attendance.ts'
import type { Room } from '#contract/rooms/rooms.ts'
import { serverNow } from '#web/lib/clock.ts'
import { PlainScreen } from './OtherScreens.tsx'
import { clockTime } from './room-labels.ts'

/** The room is closed. */
export function AfterScreen({ room, next }: { room: Room; next: ReactNode }) {
  return (
    <PlainScreen room={room} title={title(room)}>
      <p className="text-lg text-soft">
        {room.you === 'client'
          ? `Your chat with ${room.other.name} stays open for questions.`
          : `Your chat with ${room.other.name} stays open.`}
      </p>
      {room.you === 'practitioner' && <Times room={room} />}
      {next}
    </PlainScreen>
  )
}

function title({ ended_by, ends_at }: Room): string {
  const isEarly = ended_by === 'system' && serverNow() < Date.parse(ends_at)
  return isEarly ? 'This session does not take place' : 'Your session has ended'
}

/** When each of the two was in the room. */
function Times({ room: { attendance, other } }: { room: Room }) {
  const rows: [string, Attendance | null][] = [
    ['You', attendance.practitioner],
    [other.name, attendance.client],
  ]
  return (
    <dl className="grid gap-2 rounded-lg bg-surface p-4">
      {rows.map(([who, times]) => (
        <div key={who} className="flex flex-wrap justify-between gap-x-6">
          <dt className="font-semibold">{who}</dt>
          <dd className="tabular-nums">
            {times
              ? `${clockTime(times.first_in)} to ${clockTime(times.last_out)}, ${times.minutes} min in the room`
              : 'Not in the room'}
          </dd>
        </div>
      ))}
    </dl>
  )
}
