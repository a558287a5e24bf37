import { Outlet } from 'react-router'
import { admit } from '#web/lib/guard.ts'

export const clientMiddleware = admit('therapist')

export default function ForPractitioners() {
  return <Outlet />
}
