import { AuditLog } from '#web/features/back-office/AuditLog.tsx'
import { requireAdmin } from '#web/lib/guard.ts'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import type { Route } from './+types/admin-audit.ts'

export const meta = () => [{ title: pageTitle('Audit log') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireAdmin(request)
  return null
}

export default function AdminAudit() {
  return (
    <div className="page">
      <PageHeading
        title="Audit log"
        lead="Everything that was done and looked at here. Nobody can change it."
      />
      <AuditLog />
    </div>
  )
}
