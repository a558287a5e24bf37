import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { messageOf } from '#web/lib/api-error.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { Button } from '#web/ui/Button.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { EntrancePage } from './EntrancePage.tsx'

type State = { step: 'asking' | 'sending' | 'done' } | { step: 'failed'; message: string }

type Props = {
  title: string
  /** What the press does, before it. */
  lead: string
  confirmLabel: string
  failedTitle: string
  done: { title: string; words: string; actions: ReactNode }
  /** Carries it out, with the token of the link. @throws ApiError */
  onConfirm(token: string): Promise<void>
}

/** Opened from a link in a mail. A press confirms, since programs that look into mail open links as well. */
export function ConfirmLink({ title, lead, confirmLabel, failedTitle, done, onConfirm }: Props) {
  const [search] = useSearchParams()
  const token = search.get('token')
  const isHydrated = useHydrated()
  const [state, setState] = useState<State>({ step: 'asking' })

  const confirm = async () => {
    setState({ step: 'sending' })
    try {
      await onConfirm(token ?? '')
      setState({ step: 'done' })
    } catch (error) {
      setState({ step: 'failed', message: messageOf(error) })
    }
  }

  return (
    <EntrancePage title={title}>
      {!token && (
        <Alert tone="warning" title="This link is incomplete">
          Some mail programs cut long links. Copy the whole link into the address bar.
        </Alert>
      )}
      {state.step === 'failed' && (
        <Alert tone="danger" live="assertive" title={failedTitle} className="mb-5">
          {state.message}
        </Alert>
      )}
      {state.step === 'done' && (
        <Alert tone="success" live="polite" title={done.title} actions={done.actions}>
          {done.words}
        </Alert>
      )}
      {token && state.step !== 'done' && (
        <div className="flex flex-col gap-4">
          <p>{lead}</p>
          <Button
            fullWidth
            isDisabled={!isHydrated}
            isPending={state.step === 'sending'}
            onPress={() => void confirm()}
          >
            {confirmLabel}
          </Button>
        </div>
      )}
    </EntrancePage>
  )
}
