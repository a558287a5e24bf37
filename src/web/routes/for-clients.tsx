import { Outlet } from 'react-router'
import { admit } from '#web/lib/guard.ts'

export const clientMiddleware = admit('client')

export default function ForClients() {
  return <Outlet />
}
