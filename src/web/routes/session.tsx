import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, Suspense, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import type { Session } from '#contract/sessions.ts'
import { OpenSession, SessionLoading } from '#web/features/bookings/session-page/OpenSession.tsx'
import { type Moment, momentOf } from '#web/features/bookings/session-page/session-moment.ts'
import { sessionsRoot } from '#web/features/bookings/session-page/session-queries.ts'
import { SessionPage } from '#web/features/bookings/session-page/SessionPage.tsx'
import { ChatLoading } from '#web/features/chat/ChatLoading.tsx'
import { useTitleUntilSeen } from '#web/features/get-help/use-title-flash.ts'
import { EmergencyLine } from '#web/features/layout/EmergencyLine.tsx'
import { chatRole } from '#web/lib/chat-session.ts'
import { serverNow } from '#web/lib/clock.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { fetchAhead, latePart, useLatePart } from '#web/lib/late-part.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { useTitle } from '#web/lib/use-title.ts'
import type { WindowHandle } from '#web/lib/window-handle.ts'
import { lateDialog } from '#web/ui/Dialog.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
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
  // With the session itself, which tells each of them at once what may be done.
  useEffect(() => fetchAhead(actsOf[role]), [role])
  return (
    <OpenSession key={id} id={id} role={role}>
      {(session) => <WithChat session={session} role={role} />}
    </OpenSession>
  )
}

const MoveSession = lateDialog(async () => {
  const [{ EditSession }, { SlotPicker }, { WithCards }] = await Promise.all([
    import('#web/features/bookings/EditSession.tsx'),
    import('#web/features/availability/SlotPicker.tsx'),
    import('#web/features/payments/use-card-parts.tsx'),
  ])
  const parts = { SlotPicker, WithCards }
  type Props = Omit<ComponentProps<typeof EditSession>, 'parts'>
  return { default: (props: Props) => <EditSession {...props} parts={parts} /> }
})
const ReviewDialog = lateDialog(() => import('#web/features/reviews/ReviewDialog.tsx'))
const OwnReviewBlock = lazyPart(async () => ({
  default: (await import('#web/features/reviews/OwnReviewBlock.tsx')).OwnReviewBlock,
}))
const WithdrawReview = lateDialog(() => import('#web/features/reviews/WithdrawReview.tsx'))
const DisputeDialog = lateDialog(() => import('#web/features/reviews/DisputeDialog.tsx'))

const ClientActs = latePart(() => import('#web/features/bookings/session-page/ClientActs.tsx'))
const SessionActs = latePart(() => import('#web/features/practitioners/dashboard/SessionActs.tsx'))
const actsOf = { client: ClientActs, therapist: SessionActs }

type Role = 'client' | 'therapist'
type ChatProps = { dialogId: string; role: Role }

const Chat = latePart<ChatProps>(async () => {
  const [{ ChatPage }, { ChatActions }] = await Promise.all([
    import('#web/features/chat/ChatPage.tsx'),
    import('#web/features/chat/ChatActions.tsx'),
  ])
  return {
    default: ({ dialogId, role }) => (
      <ChatPage
        isPanel
        dialogId={dialogId}
        role={role}
        emergency={role === 'client' && <EmergencyLine isCompact />}
        renderActions={(dialog, partner) => <ChatActions dialog={dialog} partnerName={partner.name} />}
      />
    ),
  }
})

function WithChat({ session, role }: { session: Session; role: Role }) {
  const { dialog_id, other, you, booking_type } = session
  useTitle(`Session with ${other.name}`)
  const isHelp = booking_type === 'get-help-right-now'
  const hasBegun = isHelp && you === 'client' && momentOf(session, serverNow()) === 'live'
  useTitleUntilSeen(hasBegun ? 'Your therapist is there' : undefined)
  return (
    <SessionPage
      session={session}
      renderActs={(moment) => <Acts session={session} moment={moment} />}
      chat={dialog_id === null ? undefined : <ChatBeside key={dialog_id} dialogId={dialog_id} role={role} />}
    />
  )
}

/** The chat, once the session itself is on the screen. */
function ChatBeside(props: ChatProps) {
  const { status, retry } = useLatePart(Chat, 'idle')
  if (status === 'ready') return <Chat {...props} />
  return status === 'failed' ? <NotLoaded title="The chat did not load" onRetry={retry} /> : <ChatLoading />
}

function Acts({ session, moment }: { session: Session; moment: Moment }) {
  const client = useQueryClient()
  const { you, as_client: own, as_practitioner: theirs } = session
  const { status, retry } = useLatePart(you === 'client' ? ClientActs : SessionActs)
  if (status === 'failed') return <NotLoaded title="What you can do did not load" onRetry={retry} />
  if (status !== 'ready') return null
  if (own) {
    return (
      <ClientActs
        session={own}
        moment={moment}
        renderMove={(toMove, onClose) => <MoveSession session={toMove} onClose={onClose} />}
        renderReview={(reviewed, onClose, onSaved) => (
          <ReviewDialog session={reviewed} onClose={onClose} onSaved={(_review, isNew) => onSaved(isNew)} />
        )}
        renderWithdraw={(withdrawn, onClose, onWithdrawn) => (
          <WithdrawReview session={withdrawn} onClose={onClose} onWithdrawn={onWithdrawn} />
        )}
        renderOwnReview={(part) => (
          <Suspense>
            <OwnReviewBlock {...part} />
          </Suspense>
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
