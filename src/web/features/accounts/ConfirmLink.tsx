import { type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { useHydrated } from '#web/lib/hydrated.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { EntrancePage } from './EntrancePage.tsx'

type Props = {
  title: string
  /** What the press does, before it. */
  lead: string
  confirmLabel: string
  failedTitle: string
  success: { title: string; words: string; actions: ReactNode }
  /** Carries it out, with the token of the link. @throws ApiError */
  onConfirm(token: string): Promise<unknown>
}

/** Opened from a link in a mail. A press confirms, since programs that look into mail open links as well. */
export function ConfirmLink({ title, lead, confirmLabel, failedTitle, success, onConfirm }: Props) {
  const [search] = useSearchParams()
  const token = search.get('token')
  const isHydrated = useHydrated()
  const confirm = useAction(onConfirm)

  return (
    <EntrancePage title={title}>
      {!token && (
        <Alert tone="warning" title="This link is incomplete">
          Some email apps cut long links short. Copy the whole link into the address bar.
        </Alert>
      )}
      <ErrorAlert title={failedTitle} error={confirm.error} className="mb-5" />
      {confirm.isDone && (
        <Alert tone="success" live="polite" title={success.title} actions={success.actions}>
          {success.words}
        </Alert>
      )}
      {token && !confirm.isDone && (
        <div className="flex flex-col gap-4">
          <p>{lead}</p>
          <Button
            fullWidth
            isDisabled={!isHydrated}
            isPending={confirm.isPending}
            onPress={() => confirm.start(token)}
          >
            {confirmLabel}
          </Button>
        </div>
      )}
    </EntrancePage>
  )
}
