import { Queue } from '#web/features/back-office/Queue.tsx'
import { VettingLapses } from '#web/features/back-office/VettingLapses.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Vetting') }]

export default function AdminQueue() {
  return (
    <div className="page">
      <PageHeading title="Vetting" lead="Profiles submitted and details changed, oldest first." />
      <div className="mb-6 empty:hidden">
        <VettingLapses />
      </div>
      <Queue />
    </div>
  )
}
