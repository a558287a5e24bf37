import { type ReactNode, useEffect, useRef, useState } from 'react'
import { messageOf } from '#web/lib/api-error.ts'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { ChatLoading } from './ChatLoading.tsx'
import { ChatPage } from './ChatPage.tsx'
import { openDialogWith } from './chat-store.ts'

type Props = {
  /** Null where the two have no chat yet: it is then opened. */
  dialogId: string | null
  whom: Parameters<typeof openDialogWith>[0]
  role: 'client' | 'therapist'
  emergency: ReactNode
}

/** The chat of two people at the side of something else. */
export default function PanelChat({ dialogId, whom, role, emergency }: Props) {
  const [opened, setOpened] = useState<string>()
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  const asked = useRef(whom)
  useEffect(() => {
    if (dialogId !== null) return undefined
    let isGone = false
    openDialogWith(asked.current).then(
      (id) => {
        if (!isGone) setOpened(id)
      },
      (cause: unknown) => {
        if (!isGone) setError(cause)
      },
    )
    return () => {
      isGone = true
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt asks again
  }, [dialogId, attempt])
  const id = dialogId ?? opened
  if (id !== undefined) return <ChatPage isPanel dialogId={id} role={role} emergency={emergency} />
  if (error === undefined) return <ChatLoading />
  return (
    <ErrorState
      title="The chat did not open"
      onRetry={() => {
        setError(undefined)
        setAttempt(attempt + 1)
      }}
    >
      <p>{messageOf(error)}</p>
    </ErrorState>
  )
}
