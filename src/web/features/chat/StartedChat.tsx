import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '#web/lib/api-error.ts'
import { chatPath } from '#web/lib/chat-paths.ts'
import { foundTherapistsPath } from '#web/lib/site.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { LostPath } from '#web/ui/illustrations/LostPath.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { ChatLoading } from './ChatLoading.tsx'
import { useOpenedDialog, type Whom } from './use-opened-dialog.ts'

/** Opens the dialog with a partner and goes there. It replaces the history entry, so that Back skips this step. */
export function StartedChat({ whom }: { whom: Whom }) {
  const navigate = useNavigate()
  const { id, error, retry } = useOpenedDialog(whom)
  useEffect(() => {
    if (id !== undefined) void navigate(chatPath(id), { replace: true })
  }, [id, navigate])

  if (error === undefined) return <ChatLoading />
  if (error instanceof ApiError && error.status === 404) {
    return 'appointment_id' in whom ? (
      <EmptyState
        title="You cannot message this client"
        illustration={<LostPath className="w-52" />}
        actions={<ButtonLink to="/therapist/dashboard">Your sessions</ButtonLink>}
      >
        <p>They have closed their account, or the session is not one of yours.</p>
      </EmptyState>
    ) : (
      <EmptyState
        title="They are not taking messages at the moment"
        illustration={<LostPath className="w-52" />}
        actions={<ButtonLink to={foundTherapistsPath}>Find a Therapist</ButtonLink>}
      >
        <p>This practitioner is no longer taking clients here. Others are.</p>
      </EmptyState>
    )
  }
  return <ErrorState title="The chat did not open" onRetry={retry} error={error} />
}

/** Chats are begun by clients. */
export function OnlyClientsStart() {
  return (
    <EmptyState title="Clients start the chat" actions={<ButtonLink to="/chats">Your chats</ButtonLink>}>
      <p>You are logged in as a practitioner. To write to this therapist, log in with a client account.</p>
    </EmptyState>
  )
}
