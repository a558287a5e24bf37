import { useLocation } from 'react-router'
import { accountPath, roleOfPath } from '#web/features/accounts/account-paths.ts'
import { EntrancePage } from '#web/features/accounts/EntrancePage.tsx'
import { ForgotPasswordForm } from '#web/features/accounts/ForgotPasswordForm.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { TextLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Forgot password') }]

/** For clients and, below /therapist, for therapists. */
export default function ForgotPassword() {
  const role = roleOfPath(useLocation().pathname)
  return (
    <EntrancePage
      title="Forgot password"
      lead="Tell us your email. If there is an account with it, we send a link to choose a new password."
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
