import type { ReactNode } from 'react'
import type { Room } from '#contract/rooms/rooms.ts'
import { sessionPath, sessionReference } from '#web/lib/session-paths.ts'
import { useRenderAt } from '#web/lib/use-render-at.ts'
import { buttonLook } from '#web/ui/button-look.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { ContactLink } from '#web/ui/ContactLink.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { serverNow } from '#web/lib/clock.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { NobodyCameAlert } from './NobodyCameAlert.tsx'
import { clockTime, roomOpensLabel } from './room-labels.ts'

/** How long a client waits before the page tells them where to turn, in milliseconds. */
const patience = 10 * 60_000

type FrameProps = { room: Room; title: string; children: ReactNode }

/** A sentence or two in the place of the room. */
export function PlainScreen({ room, title, children }: FrameProps) {
  return (
    <div className="relative min-h-0 grow overflow-y-auto">
      <div className="page flex max-w-2xl flex-col gap-5 py-8">
        <Portrait name={room.other.name} image={room.other.image} size={96} shape="arch" />
        <h1 className="text-3xl">{title}</h1>
        {children}
      </div>
    </div>
  )
}

export function OwnLinkScreen({ room }: { room: Room }) {
  const { meeting_link, other, you } = room
  return (
    <PlainScreen room={room} title={`Your session with ${other.name}`}>
      {meeting_link ? (
        <>
          <p className="text-lg text-soft">
            {you === 'client'
              ? `${other.name} holds this session in a room elsewhere.`
              : 'You hold this session in a room of your own.'}
          </p>
          <p>
            <a href={meeting_link} target="_blank" rel="noreferrer" className={buttonLook({})}>
              Open the room
              <span className="sr-only"> in a new tab</span>
            </a>
          </p>
        </>
      ) : (
        <p className="text-lg text-soft">This session has no room.</p>
      )}
      {you === 'client' && meeting_link && <NotCome room={room} />}
      <SessionLink room={room} />
    </PlainScreen>
  )
}

/** @param isMoved the session was moved while this page was open */
export function EarlyScreen({ room, isMoved }: { room: Room; isMoved: boolean }) {
  const opensAt = roomOpensLabel(room.opens_at, viewerZone(), serverNow())
  return (
    <PlainScreen room={room} title={isMoved ? 'Your session was moved' : opensAt}>
      <p className="text-lg text-soft">
        Your session with {room.other.name} {isMoved && 'now '}begins on{' '}
        <span className="tabular-nums">{formatDayAndTime(room.starts_at, viewerZone(), serverNow())}</span>.{' '}
        {isMoved && `${opensAt}. `}
        Leave this page open, and you can try camera and microphone as soon as the room opens.
      </p>
      <SessionLink room={room} />
    </PlainScreen>
  )
}

export function MovedScreen({ room, action }: { room: Room; action: ReactNode }) {
  return (
    <PlainScreen room={room} title="You joined on another device">
      <p className="text-lg text-soft">
        The session goes on there, or in another tab. Camera and microphone are off here.
      </p>
      {action}
    </PlainScreen>
  )
}

export function LeftScreen({ room, action }: { room: Room; action: ReactNode }) {
  return (
    <PlainScreen room={room} title="You have left the room">
      <p className="text-lg text-soft">
        Camera and microphone are off. You can go back in until{' '}
        <span className="tabular-nums">{clockTime(room.closes_at)}</span>.
      </p>
      <NobodyCameAlert room={room} />
      {action}
    </PlainScreen>
  )
}

/** Ten minutes after the start: the way to the money back, where the product cannot know who came. */
function NotCome({ room: { appointment_id, starts_at, other } }: { room: Room }) {
  const from = Date.parse(starts_at) + patience
  useRenderAt(from)
  if (serverNow() < from) return null
  const reference = sessionReference(appointment_id)
  return (
    <Alert tone="warning" live="polite" title={`Has ${other.name} not come?`}>
      We are sorry. Write to <ContactLink subject={`${other.name} did not come: session ${reference}`} /> and
      mention session <span className="whitespace-nowrap tabular-nums">{reference}</span>: we look into it,
      and give you your money back.
    </Alert>
  )
}

function SessionLink({ room }: { room: Room }) {
  return (
    <p>
      <ButtonLink to={sessionPath(room.appointment_id)} variant="secondary" reloadDocument>
        See the session
      </ButtonLink>
    </p>
  )
}
