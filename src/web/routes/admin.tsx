import { Outlet } from 'react-router'
import { AdminFrame, AdminLoading } from '#web/features/back-office/AdminFrame.tsx'
import { admit } from '#web/lib/guard.ts'

export const clientMiddleware = admit('admin')

export const clientLoader = () => null

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
