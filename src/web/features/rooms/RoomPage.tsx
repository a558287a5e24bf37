import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Room } from '#contract/rooms/rooms.ts'
import { announce } from '#web/lib/announce.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { focusOnHeading } from '#web/lib/focus-on-heading.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { useRenderAt } from '#web/lib/use-render-at.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/Button.tsx'
import { fetchDialogs } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { LostPath } from '#web/ui/illustrations/LostPath.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { AfterScreen } from './AfterScreen.tsx'
import { CheckScreen } from './CheckScreen.tsx'
import { EarlyScreen, MovedScreen, LeftScreen, OwnLinkScreen } from './OtherScreens.tsx'
import { nextScreenAt, type RoomScreen, screenOf } from './room-screen.ts'
import type { RoomParts } from './room-parts.ts'
import { roomQuery, useRoomNews } from './room-queries.ts'
import { SessionScreen } from './SessionScreen.tsx'
import { useCall } from './use-call.ts'
import { type RoomDevice, useDevice } from './use-device.ts'
import { useSeat } from './use-seat.ts'
import { useWakeLock } from './use-wake-lock.ts'
import { WaitingScreen } from './WaitingScreen.tsx'

type Props = RoomParts & {
  /** As the address has it. */
  id: string
}

/** The room of one session: device check, waiting, session and afterwards. */
export function RoomPage({ id, ...parts }: Props) {
  useRoomNews(id)
  const client = useQueryClient()
  const query = useQuery(roomQuery(id, client))
  const device = useDevice(id)
  const isRefused = query.error instanceof ApiError && [403, 404, 422].includes(query.error.status)
  if (query.data && device && !isRefused) return <OpenRoom room={query.data} device={device} {...parts} />
  if (!query.error || (query.data && !isRefused)) return <RoomLoading />
  return (
    <div className="page relative grow overflow-y-auto py-10">
      {isRefused ? (
        <EmptyState
          level={1}
          title="We cannot find this room"
          illustration={<LostPath className="w-52" />}
          actions={<ButtonLink to="/">Home</ButtonLink>}
        >
          <p>The address may be mistyped, or it belongs to another account.</p>
        </EmptyState>
      ) : (
        <QueryError query={query} title="The room did not load" level={1} />
      )}
    </div>
  )
}

export function RoomLoading() {
  return (
    <div className="page grow py-8">
      <h1 className="sr-only">Your session</h1>
      <Loading label="Opening the room" className="flex max-w-2xl flex-col gap-5">
        <Skeleton className="h-12" />
        <Skeleton className="aspect-video" />
        <Skeleton className="h-12" />
      </Loading>
    </div>
  )
}

const mayGoDirect = ({ you, ice }: Room) => you === 'client' && ice?.relay_only === true && ice.may_go_direct

function OpenRoom({ room, device, ...parts }: RoomParts & { room: Room; device: RoomDevice }) {
  const { kept, media, change } = device
  const { peerId, hasJoined, isMoved } = kept
  const [hasLeft, setLeft] = useState(false)
  const [isDirect, setDirect] = useState(false)
  const [wasLetIn, setLetIn] = useState(false)
  const [firstStart] = useState(room.starts_at)
  const screen = useScreen(room, { peerId, hasJoined, hasLeft, isMoved })
  const isIn = screen === 'waiting' || screen === 'session'
  if (screen === 'session' && !wasLetIn) setLetIn(true)
  // By the server's word: the clock of this page may be a few seconds out.
  const isClosed = room.ice === null && (screen === 'early' || screen === 'after')
  if (isClosed && (hasLeft || wasLetIn)) {
    setLeft(false)
    setLetIn(false)
  }
  // A session that was moved or restored is joined anew: by then the page may have been left open.
  useEffect(() => {
    if (isClosed) change({ hasJoined: false, isMoved: false })
    else if (screen === 'moved') change({ isMoved: true })
  }, [isClosed, screen, change])
  const seat = useSeat({ room, peerId, isIn, onMoved: () => change({ isMoved: true }) })
  const call = useCall({ room, peerId, media, isInSession: screen === 'session', isDirect })
  useTitle(`Session with ${room.other.name}`)
  useWakeLock(isIn)
  useNews(room, screen)
  useFocusOnHeading(screen)

  const isLive = isIn || screen === 'check'
  useEffect(() => {
    if (isLive) void media.start()
    else media.rest()
  }, [isLive, media])
  useEffect(() => () => media.rest(), [media])
  // Within a session that stutters, nothing waits for the code of a dialog. The device check has none.
  useEffect(() => {
    if (isIn) fetchDialogs()
  }, [isIn])
  const join = () => {
    if (screen === 'check') media.goWithout()
    void seat
      .join()
      .then(() => {
        setLeft(false)
        change({ hasJoined: true, isMoved: false })
      })
      .catch(() => undefined)
  }
  const leave = () => {
    setLeft(true)
    change({ hasJoined: false })
    seat.leave()
  }

  switch (screen) {
    case 'own':
      return <OwnLinkScreen room={room} />
    case 'early':
      return <EarlyScreen room={room} isMoved={room.starts_at !== firstStart} />
    case 'check':
      return (
        <CheckScreen
          {...{ room, media, isDirect }}
          onDirect={setDirect}
          onJoin={join}
          isJoining={seat.isJoining}
          error={seat.joinError}
          emergency={parts.emergency}
        />
      )
    case 'waiting':
      return <WaitingScreen {...{ room, media, wasLetIn }} isLost={seat.isLost} onLeave={leave} {...parts} />
    case 'session':
      return (
        <SessionScreen
          {...{ room, media, call }}
          isLost={seat.isLost}
          onDirect={mayGoDirect(room) && !isDirect ? () => setDirect(true) : undefined}
          onLeave={leave}
          {...parts}
        />
      )
    case 'moved':
    case 'left': {
      const Screen = screen === 'moved' ? MovedScreen : LeftScreen
      return (
        <Screen
          room={room}
          action={
            <div className="flex flex-col gap-4">
              <ErrorAlert error={seat.joinError} title="You are not back yet" />
              <div className="flex flex-wrap gap-3">
                <Button onPress={join} isPending={seat.isJoining}>
                  {screen === 'moved' ? 'Continue here' : 'Go back in'}
                </Button>
                <ButtonLink to={sessionPath(room.appointment_id)} variant="secondary" reloadDocument>
                  See the session
                </ButtonLink>
              </div>
            </div>
          }
        />
      )
    }
    case 'after':
      return <AfterScreen room={room} next={parts.next} chat={parts.chat} unread={parts.unread} />
    default:
      return screen satisfies never
  }
}

/** The screen now. Renders again when it changes by itself. */
function useScreen(
  room: Room,
  { isMoved, ...device }: Parameters<typeof screenOf>[1] & { isMoved: boolean },
): RoomScreen {
  useRenderAt(nextScreenAt(room, serverNow()))
  const screen = screenOf(room, device, serverNow())
  return isMoved && ['check', 'waiting', 'session'].includes(screen) ? 'moved' : screen
}

/** Moves the focus to the heading of the next screen: the button that was pressed has gone with the last one. */
function useFocusOnHeading(screen: RoomScreen): void {
  const shown = useRef(screen)
  useEffect(() => {
    if (shown.current === screen) return undefined
    shown.current = screen
    return focusOnHeading()
  }, [screen])
}

/** Reads out what happens by itself; the heading of another screen is read as it gets the focus. */
function useNews(room: Room, screen: RoomScreen): void {
  const { name, here } = room.other
  const { you, late_at } = room
  const isOffered = you === 'client' && room.own_link !== null
  useEffect(() => {
    if (screen === 'session') announce(you === 'client' ? `${name} has let you in.` : `${name} is let in.`)
  }, [screen, you, name])
  const isWaiting = screen === 'waiting'
  useEffect(() => {
    if (isWaiting && here) announce(you === 'client' ? `${name} is here.` : `${name} is waiting.`)
  }, [isWaiting, here, you, name])
  useEffect(() => {
    if (late_at !== null && you === 'client') announce(`${name} is about five minutes late.`)
  }, [late_at, you, name])
  useEffect(() => {
    if (isOffered) announce(`${name} offers to go on in another room.`)
  }, [isOffered, name])
}
