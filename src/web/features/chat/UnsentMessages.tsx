import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { useLeaveQuestion } from '#web/ui/use-leave-question.ts'
import { useChat } from './chat-state.ts'

/** Asks before messages that wait to be sent are lost, by signing out or with the window. Other pages keep them. */
export function UnsentMessages() {
  const isWaiting = useChat(({ outbox }) => outbox.some(({ state }) => state === 'sending'))
  const { isAsked, decide } = useLeaveQuestion(isWaiting)
  return (
    <ConfirmDialog
      isOpen={isAsked}
      onClose={() => decide(false)}
      title="Leave before your message is sent?"
      confirmLabel="Leave"
      cancelLabel="Stay here"
      isDangerous
      onConfirm={() => decide(true)}
    >
      <p>
        What you wrote in a chat is still waiting for a connection. If you log out now, it is not sent, and it
        is lost.
      </p>
    </ConfirmDialog>
  )
}
