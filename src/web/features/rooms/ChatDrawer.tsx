import { IconAlertTriangle, IconMessage } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Count } from '#web/ui/Count.tsx'
import { RoomButton } from './OwnControls.tsx'
import type { RoomParts } from './room-parts.ts'

type Props = Pick<RoomParts, 'chat' | 'unread'> & { name: string; look: 'button' | 'control' }

/** The chat of the two, at the side of the room. */
export function ChatDrawer({ name, chat, unread, look }: Props) {
  const [isOpen, setOpen] = useState(false)
  const mark = !isOpen && <Mark unread={unread} />
  return (
    <>
      {look === 'button' ? (
        <Button variant="secondary" onPress={() => setOpen(true)}>
          Chat
          {mark}
        </Button>
      ) : (
        <RoomButton label="Chat" mark={mark} onPress={() => setOpen(true)}>
          <IconMessage aria-hidden size={24} />
        </RoomButton>
      )}
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} look="side" title={`Chat with ${name}`}>
        <div className="-mx-5 -mb-6 flex h-[calc(100%+1.75rem)] min-h-96 flex-col sm:-mx-7">{chat}</div>
      </Dialog>
    </>
  )
}

function Mark({ unread }: Pick<RoomParts, 'unread'>) {
  if (unread === undefined) {
    return (
      <>
        <IconAlertTriangle aria-hidden size={20} className="text-warning" />
        <span className="sr-only"> did not load</span>
      </>
    )
  }
  return unread > 0 && <Count value={unread} of="unread" />
}
