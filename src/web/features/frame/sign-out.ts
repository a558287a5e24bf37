import { callApi } from '#web/lib/api.ts'
import { endSession, readSession } from '#web/lib/session.ts'
import { forgetTabTexts } from '#web/lib/tab-texts.ts'

/** Ends the sign-in here and on the server, and opens the home page afresh, so that nothing read before stays in memory. */
export async function signOut(): Promise<void> {
  const { role } = readSession()
  try {
    if (role === 'client') await callApi('POST /client/logout', { timeout: 3000 })
    if (role === 'therapist') await callApi('POST /therapist/logout', { timeout: 3000 })
    if (role === 'admin') await callApi('POST /admin/logout', { timeout: 3000 })
  } catch {
    // Leaving must always work here; on the server the tokens run out by themselves.
  }
  forgetTabTexts()
  endSession()
  window.location.assign('/')
}
