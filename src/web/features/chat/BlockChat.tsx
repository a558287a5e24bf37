import { useSession } from '#web/lib/session.ts'
import { callChat } from '#web/lib/chat-session.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { takeDialog } from './chat-store.ts'

type Props = { dialogId: string; partnerName: string; onClose(): void }

/** Asks before the other is kept out of the chat. */
export default function BlockChat({ dialogId, partnerName, onClose }: Props) {
  const { role } = useSession()
  const block = useAction('POST /chat/dialogs/{id}/block', { call: callChat, onDone: takeDialog })
  return (
    <ActionDialog
      onClose={onClose}
      title={`Block ${partnerName}?`}
      confirmLabel="Block"
      cancelLabel="Go back"
      onConfirm={() => block.send({ params: { id: dialogId } })}
      failureTitle="Nobody is blocked yet"
    >
      <p>
        Neither of you can write here any more. They see that the chat is closed, but not why. Messages stay,
        booked sessions stay booked, and you can unblock them at any time.{' '}
        {role === 'therapist'
          ? 'They can book no more sessions with you, and are not offered your times.'
          : 'You are not put through to them when you ask for help right now.'}
      </p>
    </ActionDialog>
  )
}
