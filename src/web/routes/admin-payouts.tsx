import { ChoiceLinks } from '#web/features/back-office/ChoiceLinks.tsx'
import { PayoutList } from '#web/features/back-office/PayoutList.tsx'
import { RecordedPayouts } from '#web/features/back-office/RecordedPayouts.tsx'
import { useShown } from '#web/features/back-office/use-shown.ts'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Payouts') }]

export default function AdminPayouts() {
  const { show, choices } = useShown('/admin/payouts?', { owed: 'Owed', recorded: 'Paid out' })
  return (
    <div className="page">
      <PageHeading
        title="Payouts"
        lead="What clients paid is owed to practitioners. Transfer it at the bank, and record it here."
      />
      <div className="flex flex-col gap-6">
        <ChoiceLinks label="Which payouts" choices={choices} />
        {show === 'owed' ? <PayoutList /> : <RecordedPayouts />}
      </div>
    </div>
  )
}
