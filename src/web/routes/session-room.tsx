import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import type { Session } from '#contract/sessions.ts'
import {
  sessionQuery,
  sessionsRoot,
  useSessionNews,
} from '#web/features/bookings/session-page/session-queries.ts'
import { useChat } from '#web/features/chat/chat-state.ts'
import { EmergencyLine } from '#web/features/layout/EmergencyLine.tsx'
import { profileOfBooked } from '#web/lib/profile-path.ts'
import { RoomLoading, RoomPage } from '#web/features/rooms/RoomPage.tsx'
import { chatRole } from '#web/lib/chat-session.ts'
import { serverNow } from '#web/lib/clock.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { pageTitle } from '#web/lib/site.ts'
import type { WindowHandle } from '#web/lib/window-handle.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { SessionOutcome } from '#web/ui/SessionOutcome.tsx'
import { useFailed } from '#web/ui/use-failed.ts'
import type { Route } from './+types/session-room.ts'

export const meta = () => [{ title: pageTitle('Your session') }]

export const handle: WindowHandle = { fillsWindow: 'sideways' }

/** The header of this document alone allows camera and microphone: without a load of its own they are refused. */
export const clientLoader = async ({ request }: Route.ClientLoaderArgs) => {
  const [loaded] = performance.getEntriesByType('navigation')
  const { pathname, href } = new URL(request.url)
  if (loaded && new URL(loaded.name).pathname !== pathname) {
    location.replace(href)
    await new Promise(() => undefined)
  }
  return chatRole()
}

export function HydrateFallback() {
  return <RoomLoading />
}

const OwnAfterwards = lazyPart(() => import('#web/features/practitioners/dashboard/OwnAfterwards.tsx'))
const PanelChat = lazyPart(() => import('#web/features/chat/PanelChat.tsx'))

/** `?appointment`: the session whose room it is, for its client and its practitioner alike. */
export default function SessionRoomRoute({ loaderData: role }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const id = search.get('appointment') ?? ''
  const query = useQuery(sessionQuery(id))
  const { data: session } = query
  const failed = useFailed(query)
  useSessionNews(session)
  const unread = useChat(
    ({ dialogs }) => dialogs?.find(({ _id }) => _id === session?.dialog_id)?.unread_messages_count ?? 0,
  )
  return (
    <RoomPage
      key={id}
      id={id}
      emergency={
        role === 'client' && (
          <div data-emergency>
            <EmergencyLine />
          </div>
        )
      }
      chat={
        failed ? (
          <QueryError level={3} title="Your messages did not load" query={failed} />
        ) : (
          session && (
            <Suspense>
              <PanelChat
                dialogId={session.dialog_id}
                whom={
                  session.other.practitioner_id === null
                    ? { appointment_id: id }
                    : { practitioner_id: session.other.practitioner_id }
                }
                role={role}
                emergency={role === 'client' && <EmergencyLine isCompact />}
              />
            </Suspense>
          )
        )
      }
      unread={failed ? undefined : unread}
      next={session && <Next session={session} />}
    />
  )
}

/** The room allows camera and microphone, so other pages are opened by a load of their own. */
function Next({ session }: { session: Session }) {
  const { appointment_id, as_client, as_practitioner } = session
  const client = useQueryClient()
  const isAhead = ['confirmed', 'reserved'].includes(session.status) && !hasEnded(session)
  const mayBookAgain =
    as_client?.practitioner.bookable === true &&
    session.status !== 'reserved' &&
    session.frozen_until === null
  return (
    <>
      {as_client && !isAhead && <SessionOutcome session={as_client} />}
      {as_practitioner && (
        <Suspense>
          <OwnAfterwards
            session={as_practitioner}
            onDone={() => void client.invalidateQueries({ queryKey: sessionsRoot() })}
          />
        </Suspense>
      )}
      <div className="flex flex-wrap gap-3">
        {mayBookAgain && as_client && (
          <ButtonLink to={`${profileOfBooked(as_client)}#book`} reloadDocument>
            {as_client.status === 'cancelled' ? 'Choose another time' : 'Book again'}
          </ButtonLink>
        )}
        <ButtonLink
          to={sessionPath(appointment_id)}
          variant={as_client && !mayBookAgain ? 'primary' : 'secondary'}
          reloadDocument
        >
          See the session
        </ButtonLink>
        {as_practitioner && (
          <ButtonLink to="/therapist/dashboard" variant="secondary" reloadDocument>
            Your dashboard
          </ButtonLink>
        )}
      </div>
    </>
  )
}

const hasEnded = ({ ends_at }: Session) => Date.parse(ends_at) <= serverNow()
