import { Outlet } from 'react-router'
import { OfficeFrame, OfficeLoading } from '#web/features/back-office/OfficeFrame.tsx'
import { requireAdmin } from '#web/lib/guard.ts'
import type { Route } from './+types/admin.ts'

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireAdmin(request)
  return null
}

export function HydrateFallback() {
  return <OfficeLoading />
}

/** Around the pages of the back office. */
export default function Admin() {
  return (
    <OfficeFrame>
      <Outlet />
    </OfficeFrame>
  )
}
