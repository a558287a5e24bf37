import { Outlet, useSearchParams } from 'react-router'
import { ChatListLoading } from '#web/features/chat/ChatList.tsx'
import { ChatsFrame } from '#web/features/chat/ChatsFrame.tsx'
import { chatRole } from '#web/lib/chat-session.ts'
import type { WindowHandle } from '#web/lib/window-handle.ts'
import type { Route } from './+types/chats-frame.ts'

export const handle: WindowHandle = { fillsWindow: 'wide' }

export const clientLoader = () => chatRole()

export function HydrateFallback() {
  return (
    <div className="mx-auto w-full max-w-6xl lg:p-6">
      <h1 className="px-5 pt-6 pb-4 text-3xl">Chats</h1>
      <div className="max-w-88">
        <ChatListLoading />
      </div>
    </div>
  )
}

/** The list of chats and the chat, beside each other where there is room. */
export default function ChatsLayout({ loaderData: role }: Route.ComponentProps) {
  const [search] = useSearchParams()
  return (
    <ChatsFrame
      role={role}
      openId={search.get('dialogId') ?? undefined}
      isOpening={search.has('with') || search.has('session')}
    >
      <Outlet />
    </ChatsFrame>
  )
}
