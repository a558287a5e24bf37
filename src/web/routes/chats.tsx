import { useSearchParams } from 'react-router'
import { OnlyClientsStart, StartedChat } from '#web/features/chat/StartedChat.tsx'
import { chatRole } from '#web/lib/chat-session.ts'
import { pageTitle } from '#web/lib/site.ts'
import { Talking } from '#web/ui/illustrations/Scenes.tsx'
import type { Route } from './+types/chats.ts'

export const meta = () => [{ title: pageTitle('Chats') }]

/** `?with`: opens the dialog with this practitioner; `?session`: a practitioner's with the client of this session. */
export const clientLoader = () => chatRole()

export default function Chats({ loaderData: role }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const wanted = search.get('with')
  if (wanted && /^[1-9]\d{0,8}$/.test(wanted)) {
    return role === 'client' ? (
      <StartedChat whom={{ practitioner_id: Number(wanted) }} />
    ) : (
      <OnlyClientsStart />
    )
  }
  const session = search.get('session')
  if (session && role === 'therapist') return <StartedChat whom={{ appointment_id: session }} />
  return (
    <div className="m-auto flex flex-col items-center gap-4 p-8 text-center text-soft">
      <Talking className="w-44" />
      <p>Choose a chat to read it here.</p>
    </div>
  )
}
