import type { ClosedBecause, Room } from '#contract/rooms/rooms.ts'
import { ChatDrawer } from './ChatDrawer.tsx'
import { NobodyCameAlert } from './NobodyCameAlert.tsx'
import { PlainScreen } from './OtherScreens.tsx'
import type { RoomParts } from './room-parts.ts'

/** The room is closed. */
export function AfterScreen({
  room,
  next,
  chat,
  unread,
}: Pick<RoomParts, 'next' | 'chat' | 'unread'> & { room: Room }) {
  // This page knows by its clock before the server says so.
  const reason = room.closed_because ?? 'over'
  const text = textOf(room, reason)
  return (
    <PlainScreen room={room} title={titles[reason]}>
      {text && <p className="text-lg text-soft">{text}</p>}
      <NobodyCameAlert room={room} />
      {next}
      {chat && reason !== 'frozen' && <AskInChat room={room} chat={chat} unread={unread} />}
    </PlainScreen>
  )
}

const titles: Record<ClosedBecause, string> = {
  ended: 'Your session has ended',
  over: 'Your session has ended',
  cancelled: 'This session was cancelled',
  frozen: 'This session is being checked',
  missed: 'This session was marked as missed',
  unpaid: 'This session is not paid yet',
}

/** What it means; undefined where the rest of the screen says it. */
function textOf({ you, other, nobody_came_from }: Room, reason: ClosedBecause): string | undefined {
  const { name } = other
  switch (reason) {
    case 'frozen':
      return you === 'client'
        ? 'The room is closed meanwhile. We write to you as soon as we know more, and you do not have to do anything.'
        : `The room is closed meanwhile. ${name} has been told.`
    case 'unpaid':
      return you === 'client'
        ? 'The room opens once it is paid. The page of the session says when, and what you can do.'
        : `The room opens once ${name} has paid.`
    case 'ended':
    case 'over':
      return you === 'client' && nobody_came_from === null
        ? 'Take a moment before you go on with your day.'
        : undefined
    case 'cancelled':
    case 'missed':
      return undefined
    default:
      return reason satisfies never
  }
}

function AskInChat({
  room: { you, other },
  chat,
  unread,
}: Pick<RoomParts, 'chat' | 'unread'> & { room: Room }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-5">
      <p className="text-soft">
        {you === 'client'
          ? `Is there a question left? Your chat with ${other.name} stays open.`
          : `Your chat with ${other.name} stays open.`}
      </p>
      <ChatDrawer name={other.name} chat={chat} unread={unread} look="button" />
    </div>
  )
}
