import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Room } from '#contract/rooms/rooms.ts'
import type { Signal } from '#contract/rooms/signals.ts'
import { askLive, onConnected, onLive } from '#web/lib/live.ts'
import type { OwnMedia } from './own-media.ts'
import { createCall, type RoomCall } from './room-call.ts'
import { roomKey } from './room-queries.ts'
import { createStore, useStore } from './store.ts'

type Options = {
  room: Room
  peerId: string
  media: OwnMedia
  /** The client has chosen to connect without the relay. */
  isDirect: boolean
}

/** The connection with the other person's device, while the room is admitted and both are in it. */
export function useCall({ room, peerId, media, isDirect }: Options): RoomCall | undefined {
  const client = useQueryClient()
  const [current] = useState(() => createStore<{ call: RoomCall | undefined }>({ call: undefined }))
  const { appointment_id, you, other } = room
  const isOpen =
    room.state === 'admitted' && room.seat?.peer_id === peerId && other.peer_id !== null && room.ice !== null
  const otherPeerId = isOpen ? other.peer_id : null
  // Credentials are for the whole session: newer ones do not end a connection that stands.
  const [ice, setIce] = useState(room.ice)
  if (room.ice && !ice) setIce(room.ice)

  useEffect(() => {
    if (otherPeerId === null || !ice) return undefined
    const made = createCall({
      appointmentId: appointment_id,
      side: you,
      servers: ice.servers,
      isRelayOnly: ice.relay_only && !isDirect,
      hasRelay: ice.has_relay && !isDirect,
      mayGoDirect: ice.may_go_direct,
      media,
      send: ({ kind, n, data }) => {
        const plain = JSON.parse(JSON.stringify(data)) as Signal['data']
        void askLive('signal', { appointment_id, to: otherPeerId, from: peerId, kind, n, data: plain }).then(
          (answer) => {
            // What is refused is sent again; the room may have changed without this page having heard of it.
            if (answer?.ok === false && answer.error.code !== 'too_many_requests') {
              void client.invalidateQueries({ queryKey: roomKey(appointment_id) })
            }
          },
        )
      },
    })
    current.set({ call: made })
    const stops = [
      onLive('signal', (signal) => {
        if (signal.to === peerId && signal.from === otherPeerId && signal.appointment_id === appointment_id) {
          made.receive(signal.data)
        }
      }),
      onConnected(() => made.wayIsOpen()),
    ]
    return () => {
      for (const stop of stops) stop()
      made.close()
      current.set({ call: undefined })
    }
  }, [appointment_id, you, otherPeerId, peerId, media, ice, isDirect, client, current])
  return useStore(current).call
}
