import { Outlet } from 'react-router'
import { admit } from '#web/lib/guard.ts'

export const clientMiddleware = admit('client', 'therapist')

export default function ForBothSides() {
  return <Outlet />
}
