import type { Room } from '#contract/rooms/rooms.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { clockTime } from './room-labels.ts'
import { useShowRoom } from './room-queries.ts'

type Props = {
  isOpen: boolean
  onClose(): void
  room: Room
  /** The practitioner may also end the session or send the client back to waiting. */
  canDecide: boolean
  onLeave(): void
}

export function LeaveDialog({ isOpen, onClose, room, canDecide, onLeave }: Props) {
  const show = useShowRoom()
  const { name } = room.other
  const params = { appointment_id: room.appointment_id }
  const wait = useAction('POST /therapist/sessions/{appointment_id}/room/wait', { onDone: show })
  const end = useAction('POST /therapist/sessions/{appointment_id}/room/end', { onDone: show })
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={canDecide ? 'End or leave?' : 'Leave the session?'}
      isStubborn={wait.isPending || end.isPending}
      footer={
        canDecide ? (
          <>
            <Button variant="danger" onPress={() => end.start({ params })} isPending={end.isPending}>
              End for both
            </Button>
            <Button variant="secondary" onPress={() => wait.start({ params })} isPending={wait.isPending}>
              Back to waiting
            </Button>
            <Button variant="secondary" onPress={onLeave}>
              Leave
            </Button>
          </>
        ) : (
          <>
            <Button onPress={onLeave}>Leave</Button>
            <Button variant="secondary" onPress={onClose}>
              Stay
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <ErrorAlert error={end.error ?? wait.error} title="That did not work" />
        {canDecide ? (
          <>
            <p>Ending closes the room for both of you. It cannot be opened again.</p>
            <p>Back to waiting stops picture and sound until you let {name} in again.</p>
            <p>If you only leave, {name} stays in the room, and you can come back.</p>
          </>
        ) : (
          <p>
            Your camera and microphone are turned off. You can come back until{' '}
            <span className="tabular-nums">{clockTime(room.closes_at)}</span>, unless {name} ends the session.
          </p>
        )}
      </div>
    </Dialog>
  )
}
