import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import { DeleteAccount, DeleteAccountLoading } from '#web/features/accounts/DeleteAccount.tsx'
import { requireClient } from '#web/lib/guard.ts'
import { endSession } from '#web/lib/session.ts'
import { announceSignOut } from '#web/lib/tabs.ts'
import { pageTitle } from '#web/lib/site.ts'
import type { Route } from './+types/account-delete.ts'

export const meta = () => [{ title: pageTitle('Delete your account') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireClient(request)
  return null
}

const title = 'Delete your account'
const lead = 'For good, and at once. You can open a new one at any time.'

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
          // Opened afresh, so that nothing read before stays in memory, and not to come back to.
          window.location.replace('/goodbye')
        }}
      />
    </AccountPart>
  )
}
