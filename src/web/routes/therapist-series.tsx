import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import {
  TherapistSeries,
  TherapistSeriesLoading,
} from '#web/features/series/practitioner/TherapistSeries.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Regular sessions') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page max-w-3xl">
      <Heading />
      <TherapistSeriesLoading />
    </div>
  )
}

export default function TherapistSeriesRoute() {
  return (
    <div className="page max-w-3xl pb-16">
      <Heading />
      <TherapistSeries proposedId={useProposedJustNow()} />
    </div>
  )
}

function Heading() {
  return (
    <PageHeading
      above={
        <Breadcrumbs
          items={[{ label: 'Dashboard', to: '/therapist/dashboard' }, { label: 'Regular sessions' }]}
        />
      }
      title="Regular sessions"
      lead="Clients who keep the same hour with you, and those who would like to."
    />
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
