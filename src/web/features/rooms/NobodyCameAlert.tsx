import { useQueryClient } from '@tanstack/react-query'
import type { Room } from '#contract/rooms/rooms.ts'
import { NobodyCame } from '#web/ui/NobodyCame.tsx'
import { roomKey } from './room-queries.ts'

/** In the room, the way to the money back from a practitioner who has not come. */
export function NobodyCameAlert({ room }: { room: Room }) {
  const client = useQueryClient()
  return (
    <NobodyCame
      appointmentId={room.appointment_id}
      practitionerName={room.other.name}
      from={room.nobody_came_from}
      endsAt={room.ends_at}
      isRoomClosed={room.state === 'ended'}
      onDone={() => client.invalidateQueries({ queryKey: roomKey(room.appointment_id) })}
    />
  )
}
