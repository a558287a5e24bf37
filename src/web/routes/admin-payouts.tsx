import { PayoutList } from '#web/features/back-office/PayoutList.tsx'
import { requireAdmin } from '#web/lib/guard.ts'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import type { Route } from './+types/admin-payouts.ts'

export const meta = () => [{ title: pageTitle('Payouts') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireAdmin(request)
  return null
}

export default function AdminPayouts() {
  return (
    <div className="page">
      <PageHeading
        title="Payouts"
        lead="What clients paid is owed to practitioners. Transfer it at the bank, and write it down here."
      />
      <PayoutList />
    </div>
  )
}
