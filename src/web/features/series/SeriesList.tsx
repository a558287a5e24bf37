import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Series } from '#contract/series/series.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { classes } from '#web/ui/classes.ts'
import { SuccessRegion, type SuccessWords } from '#web/ui/LiveRegion.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { useFailed } from '#web/ui/use-failed.ts'
import { endedLabel, hourLabel } from './series-labels.ts'
import { ownSeriesQuery } from './series-queries.ts'
import { useLiveSeries } from './use-live-series.ts'
import { SeriesCard, type SeriesParts } from './SeriesCard.tsx'

type Props = SeriesParts & {
  /** The series that was agreed just now, which led here. */
  agreedId: string | undefined
  /** Layout only, where there is something to show. */
  className: string
}

/** A client's series, each with its next dates. Nothing where there is none, and while that is not known: few have one. */
export function SeriesList({ agreedId, className, ...parts }: Props) {
  useLiveSeries()
  const query = useQuery(ownSeriesQuery())
  const { data } = query
  const failed = useFailed(query)
  const [said, setSaid] = useState<SuccessWords>()

  const live = data?.data.filter(({ state }) => state !== 'ended') ?? []
  const ended = data?.data.filter((series) => series.state === 'ended' && !series.continued_by) ?? []
  const agreed = live.find(({ series_id }) => series_id === agreedId)
  return (
    <section
      aria-labelledby="regular-sessions"
      className={
        live.length + ended.length > 0 || failed ? classes('flex flex-col gap-5', className) : undefined
      }
    >
      {live.length + ended.length > 0 && (
        <h2 id="regular-sessions" className="text-2xl">
          Your regular sessions
        </h2>
      )}
      <SuccessRegion success={said} className="max-w-3xl outline-none">
        {agreed && (
          <Alert tone="success" title={`${hourLabel(agreed)} is kept for you`}>
            {`Your dates with ${agreed.practitioner.full_name} are below, with the day each payment is taken.`}
          </Alert>
        )}
      </SuccessRegion>
      {data ? (
        <>
          {live.length > 0 && (
            <ul className="flex max-w-3xl flex-col gap-5">
              {live.map((series) => (
                <SeriesCard key={series.series_id} series={series} onSaid={setSaid} {...parts} />
              ))}
            </ul>
          )}
          {ended.length > 0 && <EndedSeries ended={ended} />}
        </>
      ) : (
        failed && <QueryErrorAlert title="Your regular sessions did not load" query={failed} />
      )}
    </section>
  )
}

/** Those that ended lately, with their therapist's words. */
function EndedSeries({ ended }: { ended: readonly Series[] }) {
  return (
    <ul className="flex max-w-3xl flex-col gap-2">
      {ended.map((series) => (
        <li key={series.series_id} className="rounded-lg bg-sunken px-4 py-3 text-sm text-soft">
          <p>{`${hourLabel(series)} with ${series.practitioner.full_name}: ${endedLabel(series)}.`}</p>
          {series.ended?.reason && (
            <p className="mt-1 border-l-2 border-line pl-3 whitespace-pre-line">{series.ended.reason}</p>
          )}
        </li>
      ))}
    </ul>
  )
}
