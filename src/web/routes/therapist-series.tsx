import { DashboardSubpage } from '#web/features/layout/DashboardSubpage.tsx'
import {
  TherapistSeries,
  TherapistSeriesLoading,
} from '#web/features/series/practitioner/TherapistSeries.tsx'
import { useHandedOver } from '#web/lib/handed-over.ts'
import { pageTitle } from '#web/lib/site.ts'

const heading = {
  title: 'Regular sessions',
  lead: 'Clients who keep the same hour with you, and those who would like to.',
}

export const meta = () => [{ title: pageTitle(heading.title) }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <DashboardSubpage {...heading}>
      <TherapistSeriesLoading />
    </DashboardSubpage>
  )
}

export default function TherapistSeriesRoute() {
  const { proposed } = useHandedOver<{ proposed: string }>()
  return (
    <DashboardSubpage {...heading}>
      <TherapistSeries proposedId={proposed} />
    </DashboardSubpage>
  )
}
