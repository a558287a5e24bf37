import { IconMessageCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { Count } from '#web/ui/Count.tsx'
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
        <span className="absolute right-0 bottom-1/2 inline-grid">
          <Count value={unread} of="unread" />
        </span>
      )}
    </Link>
  )
}
