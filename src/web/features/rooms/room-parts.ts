import type { ReactNode } from 'react'

/** What other features give to the room. */
export type RoomParts = {
  /** The emergency numbers; null for practitioners. */
  emergency: ReactNode
  /** The chat of the two; rendered while its drawer is open. */
  chat: ReactNode
  /** Messages of the other one that are unread; undefined where the chat did not load. */
  unread: number | undefined
  /** What has become of the session, and what to do next, once the room is closed. */
  next: ReactNode
}
