import { useQuery } from '@tanstack/react-query'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { useSession } from '#web/lib/session.ts'
import { useAction } from '#web/lib/use-action.ts'
import { waitLabel } from '#web/lib/wait-label.ts'
import { classes } from '#web/ui/classes.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { accountPath } from './account-paths.ts'
import { ownAccountQuery } from './own-profile.ts'

/**
 * Tells a client or practitioner whose address is not confirmed what that means, and sends the link again. Renders
 * nothing for other roles, for a confirmed address and while the account loads.
 */
export function UnconfirmedEmail({ className }: { className?: string }) {
  const { role } = useSession()
  const accountRole = role === 'therapist' ? 'therapist' : 'client'
  const query = ownAccountQuery(accountRole)
  const { data } = useQuery({ ...query, enabled: role === 'client' || role === 'therapist' })
  const resend = useAction(`POST /${accountRole}/resend-verification`, {
    // It may have been confirmed in another window.
    invalidates: [query.queryKey],
  })
  if (!data || data.email_verified) return null
  const isSent = resend.isDone

  return (
    <Alert
      tone={isSent ? 'success' : 'warning'}
      title={isSent ? `We sent a link to ${data.email}` : 'Your email is not confirmed yet'}
      className={classes('print:hidden', className)}
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
          {/* On a phone it has a line of its own, where its words stand below the other button. */}
          <ButtonLink
            variant="quiet"
            className="max-[26rem]:-ml-6"
            to={`${accountPath(accountRole, 'account')}/email`}
          >
            Use another address
          </ButtonLink>
        </>
      }
    >
      <div aria-live="polite">
        {isSent
          ? sentText
          : resend.error === undefined
            ? `Open the link we emailed to ${data.email}. Until then our emails leave out when your sessions are and who they are with.`
            : failureText(resend.error)}
      </div>
    </Alert>
  )
}

const sentText =
  'Open it within seven days; only the newest link works. If nothing arrives in a few minutes, check your spam folder.'

function failureText(error: unknown): string {
  if (error instanceof ApiError && error.code === 'too_many_requests' && error.retryAfter !== undefined) {
    return `We have already sent you several links. The newest one works. You can ask for another ${waitLabel(error.retryAfter)}.`
  }
  return `The link was not sent. ${messageOf(error)}`
}
