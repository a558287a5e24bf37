import { SuspendedPage } from '#web/features/practitioners/dashboard/SuspendedPage.tsx'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('What happens now') }]

export const clientLoader = () => null

export default function TherapistSuspended() {
  return <SuspendedPage />
}
