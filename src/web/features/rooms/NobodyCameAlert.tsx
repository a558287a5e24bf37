import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Room } from '#contract/rooms/rooms.ts'
import { serverNow } from '#web/lib/clock.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { NobodyCame } from '#web/ui/NobodyCame.tsx'
import { roomKey } from './room-queries.ts'
import { useRenderAt } from './use-render-at.ts'

/** The way to the money back, for a client who was alone in the room for ten minutes of the session. */
export function NobodyCameAlert({ room }: { room: Room }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const from = room.nobody_came_from === null ? undefined : Date.parse(room.nobody_came_from)
  useRenderAt(from)
  if (from === undefined || serverNow() < from) return null
  const { name } = room.other
  return (
    <>
      <Alert
        tone="warning"
        live="polite"
        title={`${name} has not come`}
        actions={
          <Button variant="secondary" size="small" onPress={() => setAsking(true)}>
            Get my money back
          </Button>
        }
      >
        We are sorry. You can wait a little longer, or end the session and get everything back.
      </Alert>
      {isAsking && (
        <NobodyCame
          appointmentId={room.appointment_id}
          practitionerName={name}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false)
            void client.invalidateQueries({ queryKey: roomKey(room.appointment_id) })
          }}
        />
      )}
    </>
  )
}
