import { startClientSession, startTherapistSession } from '#web/lib/session.ts'

/** Keeps a client's fresh sign-in, which notifications in this browser follow. */
export function enterAsClient(...given: Parameters<typeof startClientSession>): void {
  startClientSession(...given)
  void followByPush()
}

/** Keeps a practitioner's fresh sign-in, which notifications in this browser follow. */
export function enterAsTherapist(...given: Parameters<typeof startTherapistSession>): void {
  startTherapistSession(...given)
  void followByPush()
}

/** Beside what the sign-in leads to, and late: few browsers have notifications. */
async function followByPush(): Promise<void> {
  try {
    await (await import('./push.ts')).followSignIn()
  } catch {
    // Without a network, or where the reader's settings forbid workers: the next sign-in tries again.
  }
}
