import { useQuery } from '@tanstack/react-query'
import { serverNow } from '#web/lib/clock.ts'
import { viewerZone } from '#web/lib/time.ts'
import { untilLabel } from '#web/lib/until-label.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { pendingEmailQuery } from './own-profile.ts'

/** The new address that waits for its link to be opened: sends the link again, or keeps the present address. */
export function PendingEmail({ className }: { className?: string }) {
  const query = pendingEmailQuery()
  const { data } = useQuery(query)
  const invalidates = [query.queryKey]
  const resend = useAction('POST /change-email/resend', { invalidates })
  const cancel = useAction('DELETE /change-email', { invalidates })
  if (!data) {
    if (!cancel.isDone) {
      return <ErrorAlert title="The link was not sent" error={resend.error} className={className} />
    }
    return (
      <Alert tone="success" live="polite" title="Your email stays as it is" className={className}>
        The link we sent to the new address no longer works.
      </Alert>
    )
  }
  const until = untilLabel(data.until, viewerZone(), serverNow())
  return (
    <>
      <ErrorAlert title="The link was not sent" error={resend.error} className={className} />
      <ErrorAlert title="The change was not cancelled" error={cancel.error} className={className} />
      <Alert
        tone={resend.isDone ? 'success' : 'info'}
        title={resend.isDone ? `We sent a new link to ${data.email}` : `${data.email} is not confirmed yet`}
        className={className}
        actions={
          <>
            <Button
              variant="secondary"
              isPending={resend.isPending}
              pendingLabel="Sending"
              onPress={() => resend.start()}
            >
              Send the link again
            </Button>
            <Button variant="quiet" isPending={cancel.isPending} onPress={() => cancel.start()}>
              Keep my present email
            </Button>
          </>
        }
      >
        <div aria-live="polite">
          {resend.isDone && 'Only the newest link works. '}
          Open the link in the email we sent there, until {until}, and it becomes your email.
        </div>
      </Alert>
    </>
  )
}
