import type { ReactNode } from 'react'
import type { Room } from '#contract/rooms/rooms.ts'
import { serverNow } from '#web/lib/clock.ts'
import { Button } from '#web/ui/Button.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import type { OwnMedia } from './own-media.ts'
import { useStore } from './store.ts'

type Props = {
  isOpen: boolean
  onClose(): void
  room: Room
  media: OwnMedia
  emergency: ReactNode
  /** The practitioner wants to cancel because it does not work. */
  onFailure(): void
}

/** Ways on when picture or sound does not work. */
export function TroubleDialog({ isOpen, onClose, room, media, emergency, onFailure }: Props) {
  const { isCameraOn } = useStore(media.store)
  const { name } = room.other
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onClose}
      title="It does not work?"
      footer={<Button onPress={onClose}>Close</Button>}
    >
      <div className="flex flex-col gap-5">
        <ul className="flex list-disc flex-col gap-2 pl-5">
          <li>Turn your camera off: voices need far less of your connection.</li>
          <li>Move nearer to your router, or use your phone’s network.</li>
          <li>Reload this page. You come straight back into the room.</li>
          <li>Write to {name} in the chat, and agree to talk on the phone.</li>
        </ul>
        <div className="flex flex-wrap gap-3">
          {isCameraOn && (
            <Button variant="secondary" onPress={() => void media.setCamera(false)}>
              Turn my camera off
            </Button>
          )}
          <Button variant="secondary" onPress={() => location.reload()}>
            Reload the page
          </Button>
          {room.meeting_link && (
            <a
              href={room.meeting_link}
              target="_blank"
              rel="noreferrer"
              className={buttonLook({ variant: 'secondary' })}
            >
              Go on in the other room
              <span className="sr-only">, opens in a new tab</span>
            </a>
          )}
        </div>
        {room.you === 'practitioner' && Date.parse(room.starts_at) <= serverNow() && (
          <p>
            If nothing helps, you can cancel until a day after the session: {name} gets everything back, and
            it does not count as missed.{' '}
            <Button variant="quiet" onPress={onFailure}>
              Cancel the session
            </Button>
          </p>
        )}
        {emergency}
      </div>
    </Dialog>
  )
}
