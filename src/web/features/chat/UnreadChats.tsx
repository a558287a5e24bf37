import { IconMessageCircle } from '@tabler/icons-react'
import { chatPath } from '#web/lib/chat-paths.ts'
import { TaskLink } from '#web/ui/TaskLink.tsx'
import { useChat } from './chat-state.ts'
import { partnerOf } from './dialogs.ts'

const maxShown = 3

/** A client's chats with messages that wait to be read, newest first. */
export default function UnreadChats() {
  const dialogs = useChat((state) => state.dialogs) ?? []
  const unread = dialogs.filter(({ unread_messages_count }) => unread_messages_count > 0)
  return unread.slice(0, maxShown).map((dialog) => (
    <TaskLink key={dialog._id} to={chatPath(dialog._id)} icon={<IconMessageCircle aria-hidden size={22} />}>
      {dialog.unread_messages_count === 1 ? 'A new message' : `${dialog.unread_messages_count} new messages`}{' '}
      from {partnerOf(dialog, 'client').name}
    </TaskLink>
  ))
}
