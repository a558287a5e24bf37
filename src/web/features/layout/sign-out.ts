import { abandonReading, callApi, resumeReading } from '#web/lib/api.ts'
import { mayLeave } from '#web/lib/leaving.ts'
import { endSession, readSession } from '#web/lib/session.ts'
import { announceSignOut } from '#web/lib/tabs.ts'
import { keepVisitorShortlist } from '#web/lib/visitor-shortlist.ts'

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
  }
  keepVisitorShortlist([])
  announceSignOut()
  endSession()
  resumeReading()
  window.location.assign(next)
}
