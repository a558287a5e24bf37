import { useState } from 'react'
import { callChat } from '#web/lib/chat-session.ts'
import { serverNow } from '#web/lib/clock.ts'
import { limitedField } from '#web/lib/form.ts'
import { useKeptForm } from '#web/lib/kept-form.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { CheckboxGroup } from '#web/ui/CheckboxGroup.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { useChat } from './chat-state.ts'

/** As many can be attached, by the contract. */
const maxAttached = 20

type Props = { dialogId: string; partnerName: string; onClose(): void }

/** Reports a chat to the back office, which sees only the messages ticked here. */
export default function ReportChat({ dialogId, partnerName, onClose }: Props) {
  const { form, forget } = useKeptForm(`report-chat-${dialogId}`, { reason: '' })
  const report = useAction('POST /chat/dialogs/{id}/report', {
    call: callChat,
    onDone() {
      forget()
      showToast('Thank you. We will look at it, and write to you if we have a question.')
    },
  })
  const [attached, setAttached] = useState<string[]>([])
  const messages = useChat((state) => state.conversations[dialogId]?.messages)
  const ownId = useChat((state) => state.ownId)
  const isFull = attached.length >= maxAttached
  // A message that was ticked stays in sight, however many come after it: what is sent can be seen and taken back.
  const shown = (messages ?? []).filter(
    ({ _id }, at, all) => at >= all.length - maxAttached || attached.includes(_id),
  )

  return (
    <FormDialog
      form={form}
      title="Report this chat"
      submitLabel="Send report"
      pendingLabel="Sending"
      failureTitle="Your report was not sent"
      onSubmit={({ reason }) =>
        report.send({ params: { id: dialogId }, body: { reason: reason.trim(), message_ids: attached } })
      }
      onClose={onClose}
    >
      <p>
        {`Nobody on our team can read your messages. We see only what you write here, and the messages you tick. ${partnerName} is not told who reported them.`}
      </p>
      <TextArea
        label="What has happened?"
        rows={3}
        {...limitedField(form, 'POST /chat/dialogs/{id}/report', 'reason')}
      />
      {shown.length > 0 && (
        <CheckboxGroup
          label="Messages we may see"
          name="message_ids"
          value={attached}
          onChange={setAttached}
          description={isFull ? `No more than ${maxAttached} can be sent with one report.` : undefined}
          options={shown.map((message) => ({
            isDisabled: isFull && !attached.includes(message._id),
            value: message._id,
            label: <span className="line-clamp-3 wrap-anywhere">{message.message}</span>,
            description: `${message.sender_id === ownId ? 'You' : partnerName}, ${formatDayAndTime(message.date_sent * 1000, viewerZone(), serverNow())}`,
          }))}
        />
      )}
    </FormDialog>
  )
}
