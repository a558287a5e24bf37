import { OwnSecondFactor } from '#web/features/back-office/OwnSecondFactor.tsx'
import { requireAdmin } from '#web/lib/guard.ts'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import type { Route } from './+types/admin-second-factor.ts'

export const meta = () => [{ title: pageTitle('Second factor') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireAdmin(request)
  return null
}

export default function AdminSecondFactor() {
  return (
    <div className="page max-w-2xl">
      <PageHeading title="Second factor" lead="What signs you in beside your password." />
      <OwnSecondFactor />
    </div>
  )
}
