import { useNavigate, useSearchParams } from 'react-router'
import { EntrancePage, PasswordChanged } from '#web/features/accounts/EntrancePage.tsx'
import { AdminSignInForm } from '#web/features/back-office/AdminSignInForm.tsx'
import { useGoOn } from '#web/lib/guard.ts'
import { safeReturnPath } from '#web/lib/return-to.ts'
import { pageTitle } from '#web/lib/site.ts'
import { TextLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Back office log in') }]

export default function AdminSignIn() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const returnTo = safeReturnPath(search.get('return_to'), '/admin')
  useGoOn('admin', returnTo)
  return (
    <EntrancePage
      title="Back office"
      lead="For the people who run Hearth."
      below={
        <p className="text-center">
          <TextLink to="/admin/forgot-password">Forgot password?</TextLink>
        </p>
      }
    >
      <PasswordChanged />
      <AdminSignInForm onSignedIn={() => void navigate(returnTo, { replace: true })} />
    </EntrancePage>
  )
}
