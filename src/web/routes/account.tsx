import { AccountLoading, AccountOverview } from '#web/features/accounts/AccountOverview.tsx'
import { useAccountRole } from '#web/features/accounts/account-paths.ts'
import { AskHealthConsent } from '#web/features/accounts/AskHealthConsent.tsx'
import { OwnReferralCode } from '#web/features/accounts/OwnReferralCode.tsx'
import { PendingEmail } from '#web/features/accounts/PendingEmail.tsx'
import { UnconfirmedEmail } from '#web/features/accounts/UnconfirmedEmail.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Account') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page max-w-2xl">
      <PageHeading title="Account" />
      <AccountLoading />
    </div>
  )
}

export default function Account() {
  const role = useAccountRole()
  return (
    <div className="page flex max-w-2xl flex-col">
      <PageHeading title="Account" />
      <PendingEmail className="mb-8" />
      <UnconfirmedEmail className="mb-8" />
      <AskHealthConsent className="mb-8" />
      <AccountOverview />
      {role === 'client' && (
        <div className="mt-10">
          <OwnReferralCode />
        </div>
      )}
    </div>
  )
}
