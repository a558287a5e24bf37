import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Room } from '#contract/rooms/rooms.ts'
import { accountKey } from '#web/lib/account-key.ts'
import { callApi } from '#web/lib/api.ts'
import { onNews } from '#web/lib/live.ts'
import { readAgain } from '#web/lib/read-again.ts'

export const roomKey = (id: string) => accountKey('room', id)

/** The room of one session. */
export const roomQuery = (id: string, client: QueryClient) =>
  queryOptions({
    queryKey: roomKey(id),
    queryFn: async ({ signal }) => {
      const room = await callApi('GET /appointment/{appointment_id}/room', {
        params: { appointment_id: id },
        signal,
      })
      return newerOf(client.getQueryData<Room>(roomKey(id)), room)
    },
    staleTime: 0,
    // A live event may be lost.
    refetchInterval: 20_000,
    refetchIntervalInBackground: true,
  })

/** Of two answers that may have come in another order than they were made. */
export function newerOf(known: Room | undefined, room: Room): Room {
  return known && known.starts_at === room.starts_at && known.version > room.version ? known : room
}

/** Shows an answer of a call that changes the room. */
export function showRoom(client: QueryClient, room: Room): void {
  client.setQueryData<Room>(roomKey(room.appointment_id), (known) => newerOf(known, room))
}

/** Reads the room again when a live event says that it has changed, and after each connection. */
export function useRoomNews(id: string): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onNews(['session.changed', 'room.changed'], (event) => {
        if (!event || event.appointment_id === id) void readAgain(client, roomKey(id))
      }),
    [client, id],
  )
}

/** For the actions that answer with the room. */
export function useShowRoom(): (room: Room) => void {
  const client = useQueryClient()
  return (room) => showRoom(client, room)
}
