import { Reports } from '#web/features/back-office/Reports.tsx'
import { requireAdmin } from '#web/lib/guard.ts'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import type { Route } from './+types/admin-reports.ts'

export const meta = () => [{ title: pageTitle('Reports') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireAdmin(request)
  return null
}

export default function AdminReports() {
  return (
    <div className="page">
      <PageHeading title="Reports" lead="Reviews and replies that somebody reported." />
      <Reports />
    </div>
  )
}
