import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { heartbeatSeconds } from '#contract/rooms/room-limits.ts'
import type { Room } from '#contract/rooms/rooms.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { hurryLive, onConnected } from '#web/lib/live.ts'
import { useAction } from '#web/lib/use-action.ts'
import { roomKey, showRoom } from './room-queries.ts'

/** While the server cannot be reached it is tried more often, in milliseconds. */
const lostEvery = 3000

type Options = {
  room: Room
  peerId: string
  /** The person has joined on this device and has not left. */
  isIn: boolean
  /** Another device of the same person has the seat. */
  onMoved(): void
}

/** Keeps this device's seat while it is in the room. */
export function useSeat({ room, peerId, isIn, onMoved }: Options) {
  const client = useQueryClient()
  const id = room.appointment_id
  const params = { appointment_id: id }
  const show = (answer: Room) => showRoom(client, answer)
  const keeping = useAction('POST /appointment/{appointment_id}/room/seat', { onDone: show })
  const joining = useAction('POST /appointment/{appointment_id}/room/seat', { onDone: show })
  const leaving = useAction('POST /appointment/{appointment_id}/room/leave', { onDone: show })
  const [isLost, setLost] = useState(false)
  const isBeating = useRef(false)
  /** Ends with the last call: one that the server had only after the person has left would take the seat again. */
  const lastCall = useRef<Promise<unknown>>(Promise.resolve())
  const givingUp = useRef<AbortController>(undefined)
  useEffect(() => () => givingUp.current?.abort(), [])

  const beat = async (peer: string) => {
    if (isBeating.current) return
    isBeating.current = true
    try {
      const kept = keeping.send({ params, body: { peer_id: peer } })
      lastCall.current = kept.catch(() => undefined)
      await kept
      setLost(false)
      hurryLive()
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined
      if (code === 'seat_taken_over') onMoved()
      if (code === 'room_closed' || code === 'not_found')
        void client.invalidateQueries({ queryKey: roomKey(id) })
      else if (isUnreachable(error)) setLost(true)
    } finally {
      isBeating.current = false
    }
  }
  const latestBeat = useRef(beat)
  useEffect(() => {
    latestBeat.current = beat
  })
  useEffect(() => {
    if (!isIn) return undefined
    const again = () => void latestBeat.current(peerId)
    let isStarted = false
    // Also as soon as the server can be reached again. While it can, the listener is called at once.
    const stop = onConnected(() => {
      if (isStarted) again()
    })
    isStarted = true
    again()
    const timer = setInterval(again, isLost ? lostEvery : heartbeatSeconds * 1000)
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [isIn, peerId, isLost])

  return {
    /** Takes the seat, also from another device of the same person. @throws ApiError */
    join() {
      givingUp.current?.abort()
      return lastCall.current.then(() => joining.send({ params, body: { peer_id: peerId, take: true } }))
    },
    isJoining: joining.isPending,
    joinError: joining.error,
    /** Gives the seat up. While the server cannot be reached it goes on trying, until `join` or the end of the page. */
    leave() {
      const { signal } = (givingUp.current = new AbortController())
      const tryAgain = async () => {
        while (!signal.aborted) {
          try {
            await leaving.send({ params, body: { peer_id: peerId } })
            return
          } catch (error) {
            if (!isUnreachable(error)) return
          }
          await sleep(lostEvery, signal)
        }
      }
      lastCall.current = lastCall.current.then(tryAgain)
    },
    /** The server cannot be reached just now. */
    isLost,
  }
}

const isUnreachable = (error: unknown) =>
  error instanceof ApiError && (error.code === 'network_failure' || error.code === 'timed_out')

/** Ends early when the signal says so. */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
