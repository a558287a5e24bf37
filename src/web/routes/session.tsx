import { useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Session } from '#contract/sessions.ts'
import { SlotPicker } from '#web/features/availability/SlotPicker.tsx'
import { EditSession } from '#web/features/bookings/EditSession.tsx'
import { ClientActs } from '#web/features/bookings/session-page/ClientActs.tsx'
import { OpenSession, SessionLoading } from '#web/features/bookings/session-page/OpenSession.tsx'
import { type Moment, momentOf } from '#web/features/bookings/session-page/session-moment.ts'
import { sessionsRoot } from '#web/features/bookings/session-page/session-queries.ts'
import { SessionPage } from '#web/features/bookings/session-page/SessionPage.tsx'
import { ChatActions } from '#web/features/chat/ChatActions.tsx'
import { ChatPage } from '#web/features/chat/ChatPage.tsx'
import { useTitleUntilSeen } from '#web/features/get-help/use-title-flash.ts'
import { EmergencyLine } from '#web/features/layout/EmergencyLine.tsx'
import { SessionActs } from '#web/features/practitioners/dashboard/SessionActs.tsx'
import { profileOfBooked } from '#web/features/practitioners/profile-path.ts'
import { WithCards } from '#web/features/payments/use-card-parts.tsx'
import { DisputeDialog } from '#web/features/reviews/DisputeDialog.tsx'
import { ReviewDialog } from '#web/features/reviews/ReviewDialog.tsx'
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

const moveParts = { SlotPicker, WithCards }

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
      renderActs={(moment) => <Acts session={session} moment={moment} />}
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

function Acts({ session, moment }: { session: Session; moment: Moment }) {
  const client = useQueryClient()
  const { as_client: own, as_practitioner: theirs } = session
  if (own) {
    return (
      <ClientActs
        session={own}
        moment={moment}
        profilePath={profileOfBooked}
        renderMove={(toMove, onClose) => <EditSession session={toMove} onClose={onClose} parts={moveParts} />}
        renderReview={(reviewed, onClose, onSaved) => (
          <ReviewDialog session={reviewed} onClose={onClose} onSaved={(_review, isNew) => onSaved(isNew)} />
        )}
        renderDispute={(disputed, onClose, onSent) => (
          <DisputeDialog session={disputed} onClose={onClose} onSent={onSent} />
        )}
      />
    )
  }
  return (
    theirs && (
      <SessionActs
        session={theirs}
        onDone={() => void client.invalidateQueries({ queryKey: sessionsRoot() })}
      />
    )
  )
}
