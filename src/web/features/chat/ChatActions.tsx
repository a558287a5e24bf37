import { IconDots } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import type { Dialog } from '#contract/chat/chat.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { callChat } from '#web/lib/chat-session.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { iconButtonLook } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { changeChat } from './chat-state.ts'
import { mergeDialog } from './dialogs.ts'
import { ReportChat } from './ReportChat.tsx'

/** What may be done about a chat: keep the other one away, and tell the back office. */
export function ChatActions({ dialog, partnerName }: { dialog: Dialog; partnerName: string }) {
  const [asked, setAsked] = useState<'block' | 'report'>()
  const trigger = useRef<HTMLButtonElement>(null)
  const wasAsked = useRef(false)
  useEffect(() => {
    // The menu item that was pressed has gone. The dialog holds the focus until it is closed.
    if (wasAsked.current && !asked) trigger.current?.focus()
    wasAsked.current = asked !== undefined
  }, [asked])
  const close = () => setAsked(undefined)
  const isBlocked = dialog.closed === 'blocked_by_you'

  const keep = (changed: Dialog) =>
    changeChat((before) => ({ dialogs: mergeDialog(before.dialogs ?? [], changed) }))
  const block = useAction('POST /chat/dialogs/{id}/block', { call: callChat, onDone: keep })
  const unblock = useAction('POST /chat/dialogs/{id}/unblock', { call: callChat, onDone: keep })
  const params = { id: dialog._id }

  async function unblockNow(): Promise<void> {
    const words = await unblock.send({ params }).then(
      () => `${partnerName} is no longer blocked.`,
      (error: unknown) => `Nothing was changed. ${messageOf(error)}`,
    )
    showToast(words)
  }

  return (
    <>
      <Menu
        label="More about this chat"
        trigger={
          <Button ref={trigger} aria-label="More about this chat" className={iconButtonLook}>
            <IconDots aria-hidden size={24} />
          </Button>
        }
      >
        {isBlocked ? (
          <MenuItem onAction={() => void unblockNow()}>{`Unblock ${partnerName}`}</MenuItem>
        ) : (
          <MenuItem onAction={() => setAsked('block')}>{`Block ${partnerName}`}</MenuItem>
        )}
        <MenuItem onAction={() => setAsked('report')} isDangerous>
          Report this chat
        </MenuItem>
      </Menu>
      {asked === 'block' && (
        <Blocking partnerName={partnerName} onBlock={() => block.send({ params })} onClose={close} />
      )}
      {asked === 'report' && <ReportChat dialogId={dialog._id} partnerName={partnerName} onClose={close} />}
    </>
  )
}

function Blocking({
  partnerName,
  onBlock,
  onClose,
}: {
  partnerName: string
  onBlock(): Promise<unknown>
  onClose(): void
}) {
  return (
    <ActionDialog
      onClose={onClose}
      title={`Block ${partnerName}?`}
      confirmLabel="Block"
      cancelLabel="Go back"
      onConfirm={async () => {
        await onBlock()
        onClose()
      }}
      failureTitle="Nobody is blocked yet"
    >
      <p>
        Neither of you can write here any more. They see that the chat is closed, but not why. Messages stay,
        booked sessions stay booked, and you can unblock them at any time.
      </p>
    </ActionDialog>
  )
}
