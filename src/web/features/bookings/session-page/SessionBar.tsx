import { useQuery } from '@tanstack/react-query'
import { IconClock } from '@tabler/icons-react'
import type { Session } from '#contract/sessions.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { JoinRoom, SessionClock } from './SessionClock.tsx'
import { sessionName } from './session-labels.ts'
import { sessionOfChatQuery, useMoment, useSessionNews } from './session-queries.ts'

/** In the chat of two people who have a session today: its clock, the way into the room and to its page. */
export function SessionBar({ dialogId }: { dialogId: string }) {
  useSessionNews()
  const { data: session } = useQuery(sessionOfChatQuery(dialogId))
  return session ? <Bar session={session} /> : null
}

function Bar({ session }: { session: Session }) {
  const moment = useMoment(session)
  return (
    <aside
      aria-label="Your session today"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-ember-soft px-4 py-1.5 sm:px-5"
    >
      <IconClock aria-hidden size={20} className="shrink-0 text-ember-text max-sm:hidden" />
      <p className="flex min-w-0 grow flex-wrap items-baseline gap-x-3 text-sm">
        <span className="font-semibold">{session.issue?.issue_name ?? sessionName(session)}</span>
        <SessionClock session={session} moment={moment} />
      </p>
      <TextLink
        to={sessionPath(session.appointment_id)}
        className="inline-flex min-h-11 items-center text-sm font-semibold"
      >
        See the session
      </TextLink>
      <JoinRoom session={session} moment={moment} size="small" />
    </aside>
  )
}
