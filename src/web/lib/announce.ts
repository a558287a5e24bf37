import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'
import { onAnotherPerson } from './session.ts'

type Announcement = { id: number; text: string }

/** Long enough to be read out after what is being read. */
const keptMilliseconds = 10_000

let announcements: readonly Announcement[] = []
let lastId = 0
const listeners = createListeners()

/** Has screen readers read out a sentence, on any page and above any dialog. */
export function announce(text: string): void {
  const id = ++lastId
  change([...announcements, { id, text }])
  setTimeout(() => change(announcements.filter((each) => each.id !== id)), keptMilliseconds)
}

/** What is to be read out now. For the one live region of the document. */
export function useAnnouncements(): readonly Announcement[] {
  return useSyncExternalStore(
    listeners.add,
    () => announcements,
    () => none,
  )
}

const none: readonly Announcement[] = []

function change(next: readonly Announcement[]): void {
  announcements = next
  listeners.call()
}

// What was said to one person is not for the next.
onAnotherPerson(() => change(none))
