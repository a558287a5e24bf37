import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Room } from '#contract/rooms/rooms.ts'
import type { Signal } from '#contract/rooms/signals.ts'
import { askLive, onConnected, onLive } from '#web/lib/live.ts'
import { createEarlySignals } from './early-signals.ts'
import { onNetworkChange } from './network-change.ts'
import type { OwnMedia } from './own-media.ts'
import { createCall, type RoomCall } from './room-call.ts'
import { roomKey } from './room-queries.ts'
import { createStore, useStore } from './store.ts'

/** Signals that the server has not acknowledged. */
const maxUnderway = 20

type Options = {
  room: Room
  peerId: string
  media: OwnMedia
  /** The person is in the session here: what the server knows may be older than a person who has left. */
  isInSession: boolean
  /** The client has chosen to connect without the relay. */
  isDirect: boolean
}

/**
 * The servers to connect with. Credentials are for the whole session: newer ones of the same end do not end a connection
 * that stands.
 */
export function iceAfter(known: Room['ice'], ice: Room['ice']): Room['ice'] {
  return ice && ice.expires_at !== known?.expires_at ? ice : known
}

/** The connection with the other person's device, while the room is admitted and both are in it. */
export function useCall({ room, peerId, media, isInSession, isDirect }: Options): RoomCall | undefined {
  const client = useQueryClient()
  const [current] = useState(() => createStore<{ call: RoomCall | undefined }>({ call: undefined }))
  const [early] = useState(() => createEarlySignals<Signal>())
  const { appointment_id, you, other } = room
  const otherPeerId = isInSession && room.seat?.peer_id === peerId && room.ice ? other.peer_id : null
  const [known, setKnown] = useState(room.ice)
  const ice = iceAfter(known, room.ice)
  if (ice !== known) setKnown(ice)

  useEffect(() => {
    const isMine = (signal: Signal) => signal.to === peerId && signal.appointment_id === appointment_id
    if (otherPeerId === null || !ice) {
      return onLive('signal', (signal) => {
        if (isMine(signal)) early.keep(signal)
      })
    }
    let underway = 0
    const made = createCall({
      appointmentId: appointment_id,
      side: you,
      servers: ice.servers,
      isDirect,
      isRelayOnly: ice.relay_only && !isDirect,
      hasRelay: ice.has_relay && !isDirect,
      mayGoDirect: ice.may_go_direct,
      media,
      send: ({ kind, n, data }) => {
        // What piles up on a line that is silent would meet the server's limit all at once. It is sent again later.
        if (underway >= maxUnderway) return
        underway += 1
        const plain = JSON.parse(JSON.stringify(data)) as Signal['data']
        void askLive('signal', { appointment_id, to: otherPeerId, from: peerId, kind, n, data: plain }).then(
          (answer) => {
            underway -= 1
            // What is refused is sent again; the room may have changed without this page having heard of it.
            if (answer?.ok === false && answer.error.code !== 'too_many_requests') {
              void client.invalidateQueries({ queryKey: roomKey(appointment_id) })
            }
          },
        )
      },
    })
    current.set({ call: made })
    for (const { data } of early.takeFrom(otherPeerId)) made.receive(data)
    const stops = [
      onLive('signal', (signal) => {
        if (isMine(signal) && signal.from === otherPeerId) made.receive(signal.data)
      }),
      onConnected(() => made.wayIsOpen()),
      onNetworkChange(() => made.networkHasChanged()),
    ]
    return () => {
      for (const stop of stops) stop()
      made.close()
      current.set({ call: undefined })
    }
  }, [appointment_id, you, otherPeerId, peerId, media, ice, isDirect, client, current, early])
  return useStore(current).call
}
