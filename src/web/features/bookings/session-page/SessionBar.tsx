import { useQuery } from '@tanstack/react-query'
import { IconClock, IconRepeat } from '@tabler/icons-react'
import type { SeriesOfSession } from '#contract/series/series.ts'
import type { Session } from '#contract/sessions.ts'
import { rhythmLabel } from '#web/lib/rhythm-label.ts'
import { seriesPathOf } from '#web/lib/series-paths.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { serverNow } from '#web/lib/clock.ts'
import { viewerZone } from '#web/lib/time.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { JoinRoom, SessionClock } from './SessionClock.tsx'
import { sessionName } from './session-labels.ts'
import { sessionOfChatQuery, useMoment, useSessionNews } from './session-queries.ts'

type Props = { dialogId: string; you: 'client' | 'practitioner' }

/**
 * In the chat of two people: the session that they have today, with its clock, the way into the room and to its page;
 * on other days the hours that they keep.
 */
export function SessionBar({ dialogId, you }: Props) {
  const { data } = useQuery(sessionOfChatQuery(dialogId))
  useSessionNews(data?.data)
  if (data?.data) return <Bar session={data.data} />
  return data && data.series.length > 0 ? <SeriesBar series={data.series} you={you} /> : null
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
        {session.series && (
          <span className="text-soft max-sm:hidden">
            {rhythmLabel(session.series.rhythm, viewerZone(), session.starts_at)}
          </span>
        )}
      </p>
      <TextLink to={sessionPath(session.appointment_id)} className="tappable text-sm font-semibold">
        See the session
      </TextLink>
      <JoinRoom session={session} moment={moment} size="small" />
    </aside>
  )
}

function SeriesBar({ series, you }: { series: readonly SeriesOfSession[]; you: Props['you'] }) {
  return (
    <aside
      aria-label="Your regular sessions"
      className="flex items-center gap-x-3 border-b border-line bg-sunken px-4 sm:px-5"
    >
      <IconRepeat aria-hidden size={20} className="shrink-0 text-soft" />
      <ul className="flex flex-wrap gap-x-4">
        {series.map((each) => (
          <li key={each.series_id}>
            <TextLink to={seriesPathOf(you, each)} className="tappable text-sm font-semibold">
              {rhythmLabel(each.rhythm, viewerZone(), serverNow())}
            </TextLink>
          </li>
        ))}
      </ul>
    </aside>
  )
}
