import type { ReactNode } from 'react'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { ChatLoading } from './ChatLoading.tsx'
import { ChatPage } from './ChatPage.tsx'
import { useOpenedDialog, type Whom } from './use-opened-dialog.ts'

type Props = {
  /** Null where the two have no chat yet: it is then opened. */
  dialogId: string | null
  whom: Whom
  role: 'client' | 'therapist'
  emergency: ReactNode
}

/** The chat of two people at the side of something else. */
export default function PanelChat({ dialogId, whom, role, emergency }: Props) {
  const { id: opened, error, retry } = useOpenedDialog(whom, dialogId === null)
  const id = dialogId ?? opened
  if (id !== undefined) return <ChatPage isPanel dialogId={id} role={role} emergency={emergency} />
  if (error === undefined) return <ChatLoading />
  return <ErrorState title="The chat did not open" onRetry={retry} error={error} />
}
