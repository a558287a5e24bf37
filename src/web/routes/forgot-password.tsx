import { useLocation } from 'react-router'
import { accountPath, entranceRoleOf } from '#web/features/accounts/account-paths.ts'
import { EntrancePage } from '#web/features/accounts/EntrancePage.tsx'
import { ForgotPasswordForm } from '#web/features/accounts/ForgotPasswordForm.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { TextLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Forgot password') }]

/** For clients, for therapists below /therapist, and for admins below /admin. */
export default function ForgotPassword() {
  const role = entranceRoleOf(useLocation().pathname)
  return (
    <EntrancePage
      title="Forgot password"
      lead={
        role === 'admin'
          ? 'Tell us your email. If it belongs to an admin with an authenticator app, we will send a link to choose a new password. Without an app, ask the person who runs the server for a link.'
          : 'Tell us your email. If there is an account with it, we will send a link to choose a new password.'
      }
      below={
        <p className="text-center text-soft">
          Remembered it? <TextLink to={accountPath(role, 'sign-in')}>Log in</TextLink>
        </p>
      }
    >
      <ForgotPasswordForm role={role} />
    </EntrancePage>
  )
}
