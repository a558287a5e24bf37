import { useLocation, useSearchParams } from 'react-router'
import { accountPath, entranceRoleOf } from '#web/features/accounts/account-paths.ts'
import { EntrancePage } from '#web/features/accounts/EntrancePage.tsx'
import { ResetPasswordForm } from '#web/features/accounts/ResetPasswordForm.tsx'
import { endSession, personOf, readSession } from '#web/lib/session.ts'
import { pageTitle } from '#web/lib/site.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'

export const meta = () => [{ title: pageTitle('Choose a new password') }]

/**
 * Opened from the link in a mail, with token and email in the query; for clients, and for therapists and admins below
 * /therapist and /admin.
 */
export default function ResetPassword() {
  const role = entranceRoleOf(useLocation().pathname)
  const navigate = useLateNavigate()
  const [search] = useSearchParams()
  const token = search.get('token')
  const email = search.get('email')
  return (
    <EntrancePage
      title="Choose a new password"
      lead={token && email ? `For ${email}. You will be signed out everywhere else.` : undefined}
    >
      {token && email ? (
        <ResetPasswordForm
          role={role}
          token={token}
          email={email}
          onReset={() => {
            // The sign-in of this tab has ended with the others, unless it is another account's.
            const session = readSession()
            const isOwn = personOf(session)?.email.toLowerCase() === email.toLowerCase()
            if (session.role === role && isOwn) endSession()
            void navigate(`${accountPath(role, 'sign-in')}?password_changed`, { replace: true })
          }}
        />
      ) : (
        <Alert
          tone="warning"
          title="This link is incomplete"
          actions={<ButtonLink to={accountPath(role, 'forgot-password')}>Send me a new link</ButtonLink>}
        >
          Some email apps cut long links short. Copy the whole link into the address bar, or ask for a new
          one.
        </Alert>
      )}
    </EntrancePage>
  )
}
