import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { DashboardSubpage } from '#web/features/layout/DashboardSubpage.tsx'
import {
  TherapistSeries,
  TherapistSeriesLoading,
} from '#web/features/series/practitioner/TherapistSeries.tsx'
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
  return (
    <DashboardSubpage {...heading}>
      <TherapistSeries proposedId={useProposedJustNow()} />
    </DashboardSubpage>
  )
}

/** The series that was proposed just now. Said once: not after a reload, nor on the way back. */
function useProposedJustNow(): string | undefined {
  const navigate = useNavigate()
  const state = useLocation().state as { proposed?: unknown } | null
  const [proposed] = useState(() => (typeof state?.proposed === 'string' ? state.proposed : undefined))
  const isToClear = state !== null
  useEffect(() => {
    if (isToClear) void navigate('.', { replace: true, state: null, preventScrollReset: true })
  }, [isToClear, navigate])
  return proposed
}
