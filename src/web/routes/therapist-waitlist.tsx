import { WaitingClients, WaitingClientsLoading } from '#web/features/waitlist/practitioner/WaitingClients.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Your waitlist') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page max-w-3xl">
      <Heading />
      <WaitingClientsLoading />
    </div>
  )
}

export default function TherapistWaitlist() {
  return (
    <div className="page max-w-3xl pb-16">
      <Heading />
      <WaitingClients />
    </div>
  )
}

function Heading() {
  return (
    <PageHeading
      above={
        <Breadcrumbs
          items={[{ label: 'Dashboard', to: '/therapist/dashboard' }, { label: 'Your waitlist' }]}
        />
      }
      title="Your waitlist"
      lead="Clients who would like a time with you."
    />
  )
}
