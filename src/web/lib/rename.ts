import { personOf, readSession, renewPerson, type SessionUser } from './session.ts'
import { type Said, tabsChannel } from './tabs.ts'

/** Keeps the new name or email of the signed-in person, in this tab and in their other ones, which know each other by it. */
export function rename(person: SessionUser): void {
  const session = readSession()
  const before = personOf(session)
  renewPerson(person)
  if (session.role === 'anonymous' || !before) return
  try {
    const channel = new BroadcastChannel(tabsChannel)
    const said: Said = { type: 'renamed', of: { role: session.role, email: before.email }, person }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
    channel.postMessage(said)
    channel.close()
  } catch {
    // Refused with the rest of storage, or unknown: each tab is then on its own.
  }
}
