import { Outlet } from 'react-router'
import { AdminFrame, AdminLoading } from '#web/features/back-office/AdminFrame.tsx'
import { requireAdmin } from '#web/lib/guard.ts'
import type { Route } from './+types/admin.ts'

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireAdmin(request)
  return null
}

export function HydrateFallback() {
  return <AdminLoading />
}

/** Around the pages of the back office. */
export default function Admin() {
  return (
    <AdminFrame>
      <Outlet />
    </AdminFrame>
  )
}
