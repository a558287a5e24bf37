import { useSearchParams } from 'react-router'
import type { Session } from '#contract/sessions.ts'
import { OpenSession, SessionLoading } from '#web/features/bookings/session-page/OpenSession.tsx'
import { momentOf } from '#web/features/bookings/session-page/session-moment.ts'
import { SessionPage } from '#web/features/bookings/session-page/SessionPage.tsx'
import { ChatActions } from '#web/features/chat/ChatActions.tsx'
import { ChatPage } from '#web/features/chat/ChatPage.tsx'
import { useTitleUntilSeen } from '#web/features/get-help/use-title-flash.ts'
import { EmergencyLine } from '#web/features/layout/EmergencyLine.tsx'
import { chatRole } from '#web/lib/chat-session.ts'
import { serverNow } from '#web/lib/clock.ts'
import { pageTitle } from '#web/lib/site.ts'
import { useTitle } from '#web/lib/use-title.ts'
import type { WindowHandle } from '#web/lib/window-handle.ts'
import type { Route } from './+types/session.ts'

export const meta = () => [{ title: pageTitle('Your session') }]

export const handle: WindowHandle = { fillsWindow: 'wide' }

export const clientLoader = () => chatRole()

export function HydrateFallback() {
  return <SessionLoading />
}

/** `?appointment`: the session that is shown, to its client and its practitioner alike. */
export default function SessionRoute({ loaderData: role }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const id = search.get('appointment') ?? ''
  return (
    <OpenSession key={id} id={id} role={role}>
      {(session) => <WithChat session={session} role={role} />}
    </OpenSession>
  )
}

function WithChat({ session, role }: { session: Session; role: 'client' | 'therapist' }) {
  const { dialog_id, other, you, booking_type } = session
  useTitle(`Session with ${other.name}`)
  const isHelp = booking_type === 'get-help-right-now'
  const hasBegun = isHelp && you === 'client' && momentOf(session, serverNow()) === 'live'
  useTitleUntilSeen(hasBegun ? 'Your therapist is there' : undefined)
  return (
    <SessionPage
      session={session}
      emergency={role === 'client' && <EmergencyLine />}
      chat={
        dialog_id === null ? undefined : (
          <ChatPage
            key={dialog_id}
            isPanel
            dialogId={dialog_id}
            role={role}
            emergency={role === 'client' && <EmergencyLine isCompact />}
            renderActions={(dialog, partner) => <ChatActions dialog={dialog} partnerName={partner.name} />}
          />
        )
      }
    />
  )
}
