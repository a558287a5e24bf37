import { useEffect } from 'react'
import { personOf, useSession } from '#web/lib/session.ts'
import { useChat } from './chat-state.ts'
import { startChat } from './chat-store.ts'
import { unreadOf } from './dialogs.ts'
import { UnsentMessages } from './UnsentMessages.tsx'

/** Keeps up with the chats on every page, and shows in the tab's title how many messages are unread. */
export default function ChatPresence() {
  const session = useSession()
  const owner = `${session.role} ${personOf(session)?.email}`
  const unread = useChat((state) => unreadOf(state.dialogs))
  useEffect(() => {
    if (owner) startChat()
  }, [owner])
  useEffect(() => {
    const count = () => {
      const title = document.title.replace(/^\(\d+\+?\) /, '')
      const wanted = unread > 0 ? `(${unread > 99 ? '99+' : unread}) ${title}` : title
      if (document.title !== wanted) document.title = wanted
    }
    count()
    // A page that has read what it shows may name itself anew.
    const observer = new MutationObserver(count)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [unread])
  return <UnsentMessages />
}
