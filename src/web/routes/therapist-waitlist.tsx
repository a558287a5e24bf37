import { DashboardSubpage } from '#web/features/layout/DashboardSubpage.tsx'
import { WaitingClients, WaitingClientsLoading } from '#web/features/waitlist/practitioner/WaitingClients.tsx'
import { pageTitle } from '#web/lib/site.ts'

const heading = { title: 'Your waitlist', lead: 'Clients who would like a time with you.' }

export const meta = () => [{ title: pageTitle(heading.title) }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <DashboardSubpage {...heading}>
      <WaitingClientsLoading />
    </DashboardSubpage>
  )
}

export default function TherapistWaitlist() {
  return (
    <DashboardSubpage {...heading}>
      <WaitingClients />
    </DashboardSubpage>
  )
}
