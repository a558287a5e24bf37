import { redirect, useSearchParams } from 'react-router'
import { SessionBar } from '#web/features/bookings/session-page/SessionBar.tsx'
import { ChatActions } from '#web/features/chat/ChatActions.tsx'
import { ChatPage } from '#web/features/chat/ChatPage.tsx'
import { EmergencyLine } from '#web/features/layout/EmergencyLine.tsx'
import { chatRole } from '#web/lib/chat-session.ts'
import { pageTitle } from '#web/lib/site.ts'
import type { WindowHandle } from '#web/lib/window-handle.ts'
import type { Route } from './+types/chat.ts'

export const meta = () => [{ title: pageTitle('Chat') }]

export const handle: WindowHandle = { fillsWindow: 'always' }

/** `?dialogId`: the dialog that is shown. */
export function clientLoader({ request }: Route.ClientLoaderArgs) {
  if (!new URL(request.url).searchParams.get('dialogId')) throw redirect('/chats')
  return chatRole()
}

export default function Chat({ loaderData: role }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const dialogId = search.get('dialogId') ?? ''
  return (
    <ChatPage
      key={dialogId}
      dialogId={dialogId}
      role={role}
      bar={<SessionBar dialogId={dialogId} you={role === 'client' ? 'client' : 'practitioner'} />}
      emergency={role === 'client' && <EmergencyLine isCompact />}
      renderActions={(dialog, partner) => <ChatActions dialog={dialog} partnerName={partner.name} />}
    />
  )
}
