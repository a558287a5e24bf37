import { PaymentList } from '#web/features/back-office/PaymentList.tsx'
import { requireAdmin } from '#web/lib/guard.ts'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import type { Route } from './+types/admin-payments.ts'

export const meta = () => [{ title: pageTitle('Payments') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireAdmin(request)
  return null
}

export default function AdminPayments() {
  return (
    <div className="page">
      <PageHeading title="Payments" lead="What clients paid for sessions, and what went back to them." />
      <PaymentList />
    </div>
  )
}
