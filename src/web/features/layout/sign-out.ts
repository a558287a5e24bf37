import { abandonReading, callApi, resumeReading } from '#web/lib/api.ts'
import { mayLeave } from '#web/lib/leaving.ts'
import { endSession, readSession } from '#web/lib/session.ts'
import { announceSignOut } from '#web/lib/tabs.ts'

/**
 * Ends the sign-in here, in this person's other tabs and on the server, and opens a page afresh, the home page by default,
 * so that nothing read before stays in memory. A page with unsaved input asks first, and may keep the reader.
 */
export async function signOut(next = '/'): Promise<void> {
  if (!(await mayLeave())) return
  const { role } = readSession()
  abandonReading()
  // Leaving must always work here, also without a network.
  await Promise.race([
    import('#web/lib/push-subscription.ts').then((push) => push.leavePush(role)).catch(() => {}),
    new Promise((resolve) => setTimeout(resolve, 3000)),
  ])
  try {
    if (role !== 'anonymous') await callApi(`POST /${role}/logout`, { timeout: 3000 })
  } catch {
    // The server would go on sending until the tokens have run out. The service worker shows no more.
    navigator.serviceWorker?.controller?.postMessage('push')
  }
  announceSignOut()
  endSession()
  resumeReading()
  location.assign(next)
}
