import { useNavigate } from 'react-router'
import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import { accountPath, useAccountRole } from '#web/features/accounts/account-paths.ts'
import { LoginSessions, LoginSessionsLoading } from '#web/features/accounts/LoginSessions.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { showToast } from '#web/ui/Toast.tsx'

export const meta = () => [{ title: pageTitle('Signed-in devices') }]

export const clientLoader = () => null

const title = 'Signed-in devices'
const lead = 'Each browser you logged in on and did not log out of. All its tabs are signed out together.'

export function HydrateFallback() {
  return (
    <AccountPart title={title} lead={lead}>
      <LoginSessionsLoading />
    </AccountPart>
  )
}

export default function AccountDevices() {
  const navigate = useNavigate()
  const role = useAccountRole()
  return (
    <AccountPart title={title} lead={lead}>
      <LoginSessions
        onSignedOut={() => {
          showToast('You are signed out everywhere.')
          void navigate(accountPath(role, 'sign-in'), { replace: true })
        }}
      />
    </AccountPart>
  )
}
