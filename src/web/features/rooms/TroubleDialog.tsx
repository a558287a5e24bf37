import type { ReactNode } from 'react'
import type { Room } from '#contract/rooms/rooms.ts'
import { serverNow } from '#web/lib/clock.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { OwnLinkWay } from './OwnLink.tsx'
import type { OwnMedia } from './own-media.ts'
import { useStore } from './store.ts'

type Props = {
  isOpen: boolean
  onClose(): void
  room: Room
  media: OwnMedia
  emergency: ReactNode
  /** The client may connect without the relay, and has not chosen it yet. Undefined where that makes no difference. */
  onDirect: (() => void) | undefined
  /** The practitioner wants to cancel because it does not work. */
  onFailure(): void
}

/** Ways on when picture or sound does not work. */
export function TroubleDialog({ isOpen, onClose, room, media, emergency, onDirect, onFailure }: Props) {
  const { isCameraOn } = useStore(media.store)
  const { name } = room.other
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
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
          {onDirect && (
            <Button variant="secondary" onPress={onDirect} aria-describedby="direct-means">
              Connect directly
            </Button>
          )}
        </div>
        {onDirect && (
          <p id="direct-means" className="text-sm text-soft">
            Connecting directly may help where the relay fails. Your two devices then learn each other’s
            internet address.
          </p>
        )}
        <OwnLinkWay room={room} media={media} />
        {room.you === 'practitioner' && Date.parse(room.starts_at) <= serverNow() && (
          <div className="flex flex-col gap-3">
            <p>
              If nothing helps, you can cancel until a day after the session: {name} gets everything back, and
              it does not count as missed.
            </p>
            <Button variant="secondary" className="self-start" onPress={onFailure}>
              Cancel the session
            </Button>
          </div>
        )}
        {emergency}
      </div>
    </Dialog>
  )
}
