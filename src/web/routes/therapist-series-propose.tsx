import { useNavigate, useSearchParams } from 'react-router'
import { ProposeLoading, ProposeSeries } from '#web/features/series/practitioner/ProposeSeries.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Offer a regular hour') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page">
      <Heading />
      <ProposeLoading />
    </div>
  )
}

/** `?appointment`: a session of the client to whom the hour is offered. */
export default function TherapistSeriesPropose() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const appointmentId = search.get('appointment') ?? ''
  return (
    <div className="page pb-16">
      <Heading />
      <ProposeSeries
        key={appointmentId}
        appointmentId={appointmentId}
        onProposed={({ series_id }) =>
          void navigate('/therapist/series', { replace: true, state: { proposed: series_id } })
        }
      />
    </div>
  )
}

function Heading() {
  return (
    <PageHeading
      above={
        <Breadcrumbs
          items={[
            { label: 'Dashboard', to: '/therapist/dashboard' },
            { label: 'Regular sessions', to: '/therapist/series' },
            { label: 'Offer a regular hour' },
          ]}
        />
      }
      title="Offer a regular hour"
    />
  )
}
