import { PaymentList } from '#web/features/back-office/PaymentList.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Payments') }]

export default function AdminPayments() {
  return (
    <div className="page">
      <PageHeading title="Payments" lead="What clients paid for sessions, and what was refunded." />
      <PaymentList />
    </div>
  )
}
