import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import type { Session } from '#contract/sessions.ts'
import { sessionQuery } from '#web/features/bookings/session-page/session-queries.ts'
import { EmergencyLine } from '#web/features/layout/EmergencyLine.tsx'
import { RoomLoading, RoomPage } from '#web/features/rooms/RoomPage.tsx'
import { chatRole } from '#web/lib/chat-session.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { pageTitle } from '#web/lib/site.ts'
import type { WindowHandle } from '#web/lib/window-handle.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import type { Route } from './+types/session-room.ts'

export const meta = () => [{ title: pageTitle('Your session') }]

export const handle: WindowHandle = { fillsWindow: 'always' }

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

const PanelChat = lazyPart(() => import('#web/features/chat/PanelChat.tsx'))

/** `?appointment`: the session whose room it is, for its client and its practitioner alike. */
export default function SessionRoomRoute({ loaderData: role }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const id = search.get('appointment') ?? ''
  const { data: session } = useQuery(sessionQuery(id))
  return (
    <RoomPage
      key={id}
      id={id}
      emergency={role === 'client' && <EmergencyLine />}
      chat={
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
      }
      next={session && <Next session={session} />}
    />
  )
}

function Next({ session }: { session: Session }) {
  const { you, other, appointment_id } = session
  return (
    <div className="flex flex-wrap gap-3">
      <ButtonLink to={sessionPath(appointment_id)} reloadDocument>
        See the session
      </ButtonLink>
      {you === 'client' && other.practitioner_id !== null && (
        <ButtonLink
          to={`/recommended-therapist?practitionerId=${other.practitioner_id}&type=online`}
          variant="secondary"
          reloadDocument
        >
          Book again
        </ButtonLink>
      )}
      {you === 'practitioner' && (
        <ButtonLink to="/therapist/dashboard" variant="secondary" reloadDocument>
          Your dashboard
        </ButtonLink>
      )}
    </div>
  )
}
