import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Room } from '#contract/rooms/rooms.ts'
import { serverNow } from '#web/lib/clock.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { NobodyCame } from '#web/ui/NobodyCame.tsx'
import { focusOnHeading } from './focus-on-heading.ts'
import { roomKey } from './room-queries.ts'
import { useRenderAt } from './use-render-at.ts'

/** The way to the money back, for a client who was alone in the room for ten minutes of the session: until a day after it. */
export function NobodyCameAlert({ room }: { room: Room }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const from = room.nobody_came_from === null ? undefined : Date.parse(room.nobody_came_from)
  useRenderAt(from)
  if (from === undefined || serverNow() < from) return null
  const { name } = room.other
  const isOver = room.state === 'ended' || serverNow() >= Date.parse(room.ends_at)
  return (
    <>
      <Alert
        tone="warning"
        live="polite"
        title={isOver ? `${name} did not come` : `${name} has not come`}
        actions={
          <Button variant="secondary" size="small" onPress={() => setAsking(true)}>
            Get my money back
          </Button>
        }
      >
        {isOver
          ? 'We are sorry. You can get everything back until a day after the session.'
          : 'We are sorry. You can wait a little longer, or end the session and get everything back.'}
      </Alert>
      {isAsking && (
        <NobodyCame
          appointmentId={room.appointment_id}
          practitionerName={name}
          isOver={isOver}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false)
            void client.invalidateQueries({ queryKey: roomKey(room.appointment_id) }).then(focusOnHeading)
          }}
        />
      )}
    </>
  )
}
