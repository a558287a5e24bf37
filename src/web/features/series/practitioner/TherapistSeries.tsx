import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Series } from '#contract/series/series.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ChoosingTime } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { SuccessRegion, type SuccessWords } from '#web/ui/LiveRegion.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { Section } from '#web/ui/Section.tsx'
import { endedLabel, hourLabel } from '../series-labels.ts'
import { therapistSeriesQuery } from '../series-queries.ts'
import { useLiveSeries } from '../use-live-series.ts'
import { TherapistSeriesCard } from './TherapistSeriesCard.tsx'

/** A practitioner's series: what waits for an answer first, then those that run, then those that ended lately. */
export function TherapistSeries({ proposedId }: { proposedId: string | undefined }) {
  useLiveSeries()
  const query = useQuery(therapistSeriesQuery())
  const { data, error } = query
  const [said, setSaid] = useState<SuccessWords>()

  if (!data) {
    return error ? (
      <QueryError title="Your regular sessions did not load" query={query} />
    ) : (
      <TherapistSeriesLoading />
    )
  }
  const waiting = data.data.filter(({ waits_for }) => waits_for === 'practitioner')
  const live = data.data.filter((series) => series.state !== 'ended' && !waiting.includes(series))
  const ended = data.data.filter((series) => series.state === 'ended' && !series.continued_by)
  const proposed = live.find(({ series_id }) => series_id === proposedId)
  return (
    <div className="flex flex-col gap-8">
      <SuccessRegion success={said} className="outline-none">
        {proposed && (
          <Alert tone="success" title={`${proposed.client_name} has your offer`}>
            They have 7 days to agree. Their first hour is kept free meanwhile, and you hear from us when they
            reply.
          </Alert>
        )}
      </SuccessRegion>
      {data.data.length === 0 && (
        <EmptyState
          title="No regular sessions yet"
          illustration={<ChoosingTime className="w-40" />}
          actions={<ButtonLink to="/therapist/sessions">Your sessions</ButtonLink>}
        >
          <p>
            When a client keeps the same hour every week, it appears here. You can also offer one: choose
            “Offer this hour every week” at one of their sessions.
          </p>
        </EmptyState>
      )}
      <Part title="Waiting for your answer" series={waiting} onSaid={setSaid} />
      <Part title="Your clients’ hours" series={live} onSaid={setSaid} />
      {ended.length > 0 && (
        <Section title="Ended lately" size="2xl" className="flex flex-col gap-3">
          <ul className="flex flex-col gap-2">
            {ended.map((series) => (
              <li key={series.series_id} className="rounded-lg bg-sunken px-4 py-3 text-sm text-soft">
                {`${series.client_name}, ${hourLabel(series)}: ${endedLabel(series)}.`}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  )
}

function Part({
  title,
  series,
  onSaid,
}: {
  title: string
  series: readonly Series[]
  onSaid(said: SuccessWords): void
}) {
  if (series.length === 0) return null
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <h2 className="text-2xl">{title}</h2>
      <ul className="flex flex-col gap-5">
        {series.map((each) => (
          <TherapistSeriesCard key={each.series_id} series={each} onSaid={onSaid} />
        ))}
      </ul>
    </section>
  )
}

export function TherapistSeriesLoading() {
  return (
    <Loading label="Loading your regular sessions" className="flex flex-col gap-5">
      <Skeleton className="h-72 rounded-xl" />
      <Skeleton className="h-72 rounded-xl" />
    </Loading>
  )
}
