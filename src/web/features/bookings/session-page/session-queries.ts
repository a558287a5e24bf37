import type { Session } from '#contract/sessions.ts'
import { accountKey } from '#web/lib/account-key.ts'
import { apiQuery } from '#web/lib/api-query.ts'
import { serverNow } from '#web/lib/clock.ts'
import { clientInstants, practitionerInstants } from '#web/lib/session-instants.ts'
import { viewerZone } from '#web/lib/time.ts'
import { useReadAt, useReadOnNews } from '#web/lib/use-read-again.ts'
import { useRenderAt } from '#web/lib/use-render-at.ts'
import { type Moment, momentOf, nextMomentAt } from './session-moment.ts'

/** All that is kept of sessions as their pages show them. */
export const sessionsRoot = () => accountKey('session')

/** One session, for either of its people. */
export const sessionQuery = (id: string) =>
  apiQuery(accountKey('session', 'one', id), 'GET /sessions/{appointment_id}', {
    params: { appointment_id: id },
    staleTime: 0,
  })

/** The session that the two people of a chat have today, and the hours that they keep. */
export const sessionOfChatQuery = (dialogId: string) =>
  apiQuery(accountKey('session', 'of chat', dialogId), 'GET /sessions/today', {
    query: { dialog_id: dialogId, timezone: viewerZone() },
    staleTime: 0,
  })

const shownKeys = () => [sessionsRoot()]
const news = ['session.changed', 'room.changed', 'chat.changed'] as const

/** Reads sessions again on live events about one, after each connection, and when time changes what may be done to `session`. */
export function useSessionNews(session?: Session | null): void {
  useReadOnNews(news, shownKeys)
  useReadAt(session ? instantsOf(session) : [], shownKeys)
}

const instantsOf = ({ as_client, as_practitioner }: Session) => [
  ...(as_client ? clientInstants(as_client) : []),
  ...(as_practitioner ? practitionerInstants(as_practitioner) : []),
]

/** Where a session stands now. Renders again when that changes by itself. */
export function useMoment(session: Session): Moment {
  useRenderAt(nextMomentAt(session, serverNow()))
  return momentOf(session, serverNow())
}
