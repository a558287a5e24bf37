import { useSearchParams } from 'react-router'
import { DashboardSubpage } from '#web/features/layout/DashboardSubpage.tsx'
import { ProposeLoading, ProposeSeries } from '#web/features/series/practitioner/ProposeSeries.tsx'
import { pageTitle } from '#web/lib/site.ts'

const heading = {
  title: 'Offer a regular hour',
  parent: { label: 'Regular sessions', to: '/therapist/series' },
  isWide: true,
}

export const meta = () => [{ title: pageTitle(heading.title) }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <DashboardSubpage {...heading}>
      <ProposeLoading />
    </DashboardSubpage>
  )
}

/** `?appointment`: a session of the client to whom the hour is offered. */
export default function TherapistSeriesPropose() {
  const [search] = useSearchParams()
  const appointmentId = search.get('appointment') ?? ''
  return (
    <DashboardSubpage {...heading}>
      <ProposeSeries key={appointmentId} appointmentId={appointmentId} />
    </DashboardSubpage>
  )
}
