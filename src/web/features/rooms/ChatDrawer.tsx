import { IconMessage } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RoomButton } from './OwnControls.tsx'

type Props = { name: string; chat: ReactNode; look: 'button' | 'control' }

/** The chat of the two, at the side of the room. */
export function ChatDrawer({ name, chat, look }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {look === 'button' ? (
        <Button variant="secondary" onPress={() => setOpen(true)}>
          Chat
        </Button>
      ) : (
        <RoomButton label="Chat" onPress={() => setOpen(true)}>
          <IconMessage aria-hidden size={24} />
        </RoomButton>
      )}
      <Dialog isOpen={isOpen} onOpenChange={setOpen} look="side" title={`Chat with ${name}`}>
        <div className="-mx-5 -mb-6 flex h-[calc(100%+1.75rem)] min-h-96 flex-col sm:-mx-7">{chat}</div>
      </Dialog>
    </>
  )
}
