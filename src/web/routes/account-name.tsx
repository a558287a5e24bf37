import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import { accountPath, useAccountRole } from '#web/features/accounts/account-paths.ts'
import { NameForm } from '#web/features/accounts/NameForm.tsx'
import { TherapistNameForm } from '#web/features/accounts/TherapistNameForm.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { Loading } from '#web/ui/Skeleton.tsx'
import { showToast } from '#web/ui/Toast.tsx'

export const meta = () => [{ title: pageTitle('Your name') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <AccountPart title="Your name">
      <Loading label="Loading your name" skeleton="h-20" />
    </AccountPart>
  )
}

export default function AccountName() {
  const navigate = useLateNavigate()
  const role = useAccountRole()
  const Form = role === 'client' ? NameForm : TherapistNameForm
  return (
    <AccountPart title="Your name">
      <Form
        onSaved={() => {
          showToast('Your name is changed.')
          return navigate(accountPath(role, 'account'))
        }}
      />
    </AccountPart>
  )
}
