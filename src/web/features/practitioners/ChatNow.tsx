import { startChatPath } from '#web/lib/chat-paths.ts'
import { useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/Link.tsx'

type Props = {
  practitionerId: number
  name: string
}

/** Opens the chat with a practitioner, by way of signing in for visitors. Not for practitioners and admins: chats are begun by clients. */
export function ChatNow({ practitionerId, name }: Props) {
  const { role } = useSession()
  if (role === 'therapist' || role === 'admin') return null
  return (
    <ButtonLink to={startChatPath(practitionerId)} variant="secondary">
      Chat now<span className="sr-only">{` with ${name}`}</span>
    </ButtonLink>
  )
}
