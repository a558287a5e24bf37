import { NoShows } from '#web/features/back-office/NoShows.tsx'
import { RepeatedAbsences } from '#web/features/back-office/RepeatedAbsences.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('No-shows') }]

export default function AdminNoShows() {
  return (
    <div className="page">
      <PageHeading
        title="No-shows"
        lead="Sessions a client was marked as missing, and disputes. The fee is not paid out until it is decided."
      />
      <div className="mb-6 empty:hidden">
        <RepeatedAbsences />
      </div>
      <NoShows />
    </div>
  )
}
