import { IconMessageCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useChat } from './chat-state.ts'
import { unreadOf } from './dialogs.ts'

/** The way to the chats, with how many messages wait there. */
export default function ChatsLink() {
  const unread = useChat((state) => unreadOf(state.dialogs))
  return (
    <Link
      to="/chats"
      className="target relative grid place-items-center rounded-full text-soft transition-colors hover:bg-sunken hover:text-ink"
    >
      <span className="sr-only">Chats</span>
      <IconMessageCircle aria-hidden size={24} />
      {unread > 0 && (
        <span className="absolute top-0.5 right-0 inline-grid h-5 min-w-5 place-items-center rounded-full border-2 border-paper bg-ember-text px-1 text-xs leading-none font-bold text-paper tabular-nums">
          {unread > 99 ? '99+' : unread}
          <span className="sr-only"> unread</span>
        </span>
      )}
    </Link>
  )
}
