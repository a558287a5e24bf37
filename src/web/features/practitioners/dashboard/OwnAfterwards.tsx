import { useQuery } from '@tanstack/react-query'
import type { TherapistSession } from '#contract/bookings/practitioner-sessions.ts'
import { serverNow } from '#web/lib/clock.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { ownSessionsQuery } from './dashboard-queries.ts'
import SessionActs from './SessionActs.tsx'

type Props = { session: TherapistSession; onDone(): void }

/** After a session: what became of it, and the one that comes next. */
export default function OwnAfterwards({ session, onDone }: Props) {
  const { data: ahead } = useQuery(ownSessionsQuery('upcoming', 1))
  const next = ahead?.data.find(
    (each) => each.appointment_id !== session.appointment_id && Date.parse(each.ends_at) > serverNow(),
  )
  return (
    <>
      <SessionActs session={session} onDone={onDone} />
      {next && (
        <section
          aria-labelledby="next-session"
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg bg-action-soft p-4"
        >
          <div>
            <h2
              id="next-session"
              className="font-sans text-sm font-semibold tracking-normal text-on-action-soft"
            >
              Next session
            </h2>
            <p className="text-lg">
              {next.client.name},{' '}
              <span className="tabular-nums">
                {formatDayAndTime(next.starts_at, viewerZone(), serverNow())}
              </span>
            </p>
          </div>
          <ButtonLink to={sessionPath(next.appointment_id)} variant="secondary" size="small" reloadDocument>
            See the next session
          </ButtonLink>
        </section>
      )}
    </>
  )
}
