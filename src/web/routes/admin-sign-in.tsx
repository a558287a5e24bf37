import { useNavigate, useSearchParams } from 'react-router'
import { EntrancePage } from '#web/features/accounts/EntrancePage.tsx'
import { AdminSignInForm } from '#web/features/back-office/AdminSignInForm.tsx'
import { safeReturnPath } from '#web/lib/return-to.ts'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('Back office log in') }]

export default function AdminSignIn() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const returnTo = safeReturnPath(search.get('return_to'), '/admin')
  return (
    <EntrancePage title="Back office" lead="For the people who run Hearth.">
      <AdminSignInForm onSignedIn={() => void navigate(returnTo, { replace: true })} />
    </EntrancePage>
  )
}
