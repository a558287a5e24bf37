import { abandonReading, callApi, resumeReading } from '#web/lib/api.ts'
import { mayLeave } from '#web/lib/leaving.ts'
import { forgetPushAddress } from '#web/lib/push-address.ts'
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
  try {
    if (role === 'client') await callApi('POST /client/logout', { timeout: 3000 })
    if (role === 'therapist') await callApi('POST /therapist/logout', { timeout: 3000 })
    if (role === 'admin') await callApi('POST /admin/logout', { timeout: 3000 })
  } catch {
    // Leaving must always work here; on the server the tokens run out by themselves.
    await Promise.race([giveUpPush(), new Promise((resolve) => setTimeout(resolve, 1000))])
  }
  announceSignOut()
  endSession()
  resumeReading()
  window.location.assign(next)
}

/** Has this browser show no more notifications, which the server would go on sending until the tokens have run out. */
async function giveUpPush(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.getRegistration()
    const subscription = await registration?.pushManager.getSubscription()
    if (!subscription) return
    await subscription.unsubscribe()
    await forgetPushAddress()
  } catch {
    // A browser without service workers or push has none.
  }
}
