import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import { noteAccountDeleted } from '#web/features/accounts/account-deleted.ts'
import { DeleteAccount, DeleteAccountLoading } from '#web/features/accounts/DeleteAccount.tsx'
import { endSession } from '#web/lib/session.ts'
import { announceSignOut } from '#web/lib/tabs.ts'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('Delete your account') }]

export const clientLoader = () => null

const title = 'Delete your account'
const lead = 'Permanently, and straight away. You can open a new one at any time.'

export function HydrateFallback() {
  return (
    <AccountPart title={title} lead={lead}>
      <DeleteAccountLoading />
    </AccountPart>
  )
}

export default function AccountDelete() {
  return (
    <AccountPart title={title} lead={lead}>
      <DeleteAccount
        onDeleted={() => {
          announceSignOut()
          endSession()
          noteAccountDeleted()
          // Opened afresh, so that nothing read before stays in memory, and not to come back to.
          window.location.replace('/goodbye')
        }}
      />
    </AccountPart>
  )
}
