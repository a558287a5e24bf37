import { PayoutList } from '#web/features/back-office/PayoutList.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Payouts') }]

export default function AdminPayouts() {
  return (
    <div className="page">
      <PageHeading
        title="Payouts"
        lead="What clients paid is owed to practitioners. Transfer it at the bank, and record it here."
      />
      <PayoutList />
    </div>
  )
}
