import { AuditLog } from '#web/features/back-office/AuditLog.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Audit log') }]

export default function AdminAudit() {
  return (
    <div className="page">
      <PageHeading title="Audit log" lead="Everything that was done and viewed here. Nobody can change it." />
      <AuditLog />
    </div>
  )
}
