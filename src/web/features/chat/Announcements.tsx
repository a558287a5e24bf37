import { useState } from 'react'
import type { Messages } from './conversation.ts'

type Props = { messages: Messages; ownId: string; partnerName: string }

/** Kept in the log after a new one has come. */
const keptAnnouncements = 5

/**
 * What the other writes while the chat is open, for screen readers. Apart from the list, whose rows come and go with scrolling and
 * would all be read out.
 */
export function Announcements({ messages, ownId, partnerName }: Props) {
  const [from] = useState(() => messages.at(-1)?.seq ?? 0)
  const news = messages
    .filter(({ seq, sender_id }) => seq > from && sender_id !== ownId)
    .slice(-keptAnnouncements)
  return (
    <div role="log" aria-label="New messages" className="sr-only">
      {news.map(({ _id, message }) => (
        <p key={_id}>{`${partnerName}: ${message}`}</p>
      ))}
    </div>
  )
}
