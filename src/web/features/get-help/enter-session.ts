import { callApi } from '#web/lib/api.ts'
import { roomPath, sessionPath } from '#web/lib/session-paths.ts'

/**
 * Leads into a session that was accepted just now: into its room if it is held in this product, else to its page. The room
 * is entered by a full page load, because its document alone may use camera and microphone.
 */
export async function enterSession(
  appointmentId: string,
  navigate: (path: string, options?: { replace: boolean }) => unknown,
): Promise<void> {
  if (await isHeldHere(appointmentId)) location.replace(roomPath(appointmentId))
  else await navigate(sessionPath(appointmentId), { replace: true })
}

async function isHeldHere(appointmentId: string): Promise<boolean> {
  try {
    const room = await callApi('GET /appointment/{appointment_id}/room', {
      params: { appointment_id: appointmentId },
      timeout: 4000,
    })
    return room.kind === 'hearth' && room.state !== 'ended'
  } catch {
    // Its page has the way into the room, too.
    return false
  }
}
