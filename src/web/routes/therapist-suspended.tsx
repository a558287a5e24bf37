import { SuspendedPage } from '#web/features/practitioners/dashboard/SuspendedPage.tsx'
import { requireTherapist } from '#web/lib/guard.ts'
import { pageTitle } from '#web/lib/site.ts'
import type { Route } from './+types/therapist-suspended.ts'

export const meta = () => [{ title: pageTitle('What happens now') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireTherapist(request)
  return null
}

export default function TherapistSuspended() {
  return <SuspendedPage />
}
