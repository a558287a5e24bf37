import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import { accountPath, useAccountRole } from '#web/features/accounts/account-paths.ts'
import { PasswordForm } from '#web/features/accounts/PasswordForm.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { Loading } from '#web/ui/Skeleton.tsx'
import { showToast } from '#web/ui/Toast.tsx'

export const meta = () => [{ title: pageTitle('Your password') }]

export const clientLoader = () => null

const title = 'Your password'
const lead = 'Changing it signs out every other device. This one stays signed in.'

export function HydrateFallback() {
  return (
    <AccountPart title={title} lead={lead}>
      <Loading label="Loading the form" skeleton="h-72" />
    </AccountPart>
  )
}

export default function AccountPassword() {
  const navigate = useLateNavigate()
  const role = useAccountRole()
  return (
    <AccountPart title={title} lead={lead}>
      <PasswordForm
        onChanged={() => {
          showToast('Your password is changed. Every other device is signed out.')
          return navigate(accountPath(role, 'account'))
        }}
      />
    </AccountPart>
  )
}
