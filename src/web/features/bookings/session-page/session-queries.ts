import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Session } from '#contract/sessions.ts'
import { accountKey } from '#web/lib/account-key.ts'
import { apiQuery } from '#web/lib/api-query.ts'
import { serverNow } from '#web/lib/clock.ts'
import { onNews } from '#web/lib/live.ts'
import { viewerZone } from '#web/lib/time.ts'
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

/** Reads sessions again when a live event says that one has changed, and after each connection. */
export function useSessionNews(): void {
  const client = useQueryClient()
  useEffect(() => {
    const look = () => void client.invalidateQueries({ queryKey: sessionsRoot() })
    return onNews(['session.changed', 'room.changed', 'chat.changed'], look)
  }, [client])
}

/** Where a session stands now. Renders again when that changes by itself. */
export function useMoment(session: Session): Moment {
  useRenderAt(nextMomentAt(session, serverNow()))
  return momentOf(session, serverNow())
}
