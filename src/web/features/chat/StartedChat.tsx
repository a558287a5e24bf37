import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { chatPath } from '#web/lib/chat-paths.ts'
import { foundTherapistsPath } from '#web/lib/site.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { LostPath } from '#web/ui/illustrations/LostPath.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { openDialogWith } from './chat-store.ts'
import { ChatLoading } from './ChatLoading.tsx'

type Props = {
  /** Whom a client writes to, or the session whose client a practitioner writes to. */
  whom: { practitioner_id: number } | { appointment_id: string }
}

/** Opens the dialog with a partner and goes there. It replaces the history entry, so that Back skips this step. */
export function StartedChat({ whom }: Props) {
  const [attempt, setAttempt] = useState(0)
  return <Attempt key={attempt} whom={whom} onRetry={() => setAttempt(attempt + 1)} />
}

function Attempt({ whom, onRetry }: Props & { onRetry(): void }) {
  const navigate = useNavigate()
  const [error, setError] = useState<unknown>()
  const asked = useRef(whom)
  useEffect(() => {
    let isGone = false
    openDialogWith(asked.current).then(
      (id) => {
        if (!isGone) void navigate(chatPath(id), { replace: true })
      },
      (cause: unknown) => {
        if (!isGone) setError(cause)
      },
    )
    return () => {
      isGone = true
    }
  }, [navigate])

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
  return (
    <ErrorState title="The chat did not open" onRetry={onRetry}>
      <p>{messageOf(error)}</p>
    </ErrorState>
  )
}

/** Chats are begun by clients. */
export function OnlyClientsStart() {
  return (
    <EmptyState title="Clients start the chat" actions={<ButtonLink to="/chats">Your chats</ButtonLink>}>
      <p>You are logged in as a practitioner. To write to this therapist, log in with a client account.</p>
    </EmptyState>
  )
}
