import { IconDots } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { Dialog } from '#contract/chat/chat.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { callChat } from '#web/lib/chat-session.ts'
import { isDefinite, useAction } from '#web/lib/use-action.ts'
import { lateDialog } from '#web/ui/Dialog.tsx'
import { iconButtonLook } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { takeDialog } from './chat-store.ts'

const BlockChat = lateDialog(() => import('./BlockChat.tsx'))
const ReportChat = lateDialog(() => import('./ReportChat.tsx'))

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

  const unblock = useAction('POST /chat/dialogs/{id}/unblock', { call: callChat, onDone: takeDialog })

  async function unblockNow(): Promise<void> {
    try {
      await unblock.send({ params: { id: dialog._id } })
      showToast(`${partnerName} is no longer blocked.`)
    } catch (error) {
      showToast(`${isDefinite(error) ? 'Nothing was changed. ' : ''}${messageOf(error)}`, 'danger')
    }
  }

  return (
    <>
      <Menu
        label="More about this chat"
        buttonLabel="More about this chat"
        trigger={trigger}
        className={iconButtonLook}
        icon={<IconDots aria-hidden size={24} />}
        entries={[
          isBlocked
            ? { label: `Unblock ${partnerName}`, onAction: () => void unblockNow() }
            : { label: `Block ${partnerName}`, onAction: () => setAsked('block') },
          { label: 'Report this chat', onAction: () => setAsked('report'), isDangerous: true },
        ]}
      />
      {asked === 'block' && <BlockChat dialogId={dialog._id} partnerName={partnerName} onClose={close} />}
      {asked === 'report' && <ReportChat dialogId={dialog._id} partnerName={partnerName} onClose={close} />}
    </>
  )
}
