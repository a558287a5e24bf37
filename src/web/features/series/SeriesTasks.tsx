import { IconCreditCard, IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Series } from '#contract/series/series.ts'
import { formatPounds } from '#web/lib/money.ts'
import { formatDay, formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { QueryErrorItem } from '#web/ui/QueryErrorItem.tsx'
import { TaskLink } from '#web/ui/TaskLink.tsx'
import { dayLabel, hourLabel } from './series-labels.ts'
import { payPath, seriesPath } from '#web/lib/series-paths.ts'
import { ownSeriesQuery } from './series-queries.ts'

/** What a client's series wait for: a payment, an answer to a proposal or to a new price. */
export default function SeriesTasks() {
  const query = useQuery(ownSeriesQuery())
  return (
    <>
      <QueryErrorItem query={query} title="Your regular sessions did not load" />
      {query.data?.data.map((series) => (
        <Tasks key={series.series_id} series={series} />
      ))}
    </>
  )
}

function Tasks({ series }: { series: Series }) {
  const zone = viewerZone()
  const { practitioner, price_change: price, can } = series
  const due = series.dates.filter(({ can, appointment_id }) => can.pay && appointment_id)
  return (
    <>
      {due.map((date) => (
        <TaskLink
          key={date.on_date}
          to={payPath(date.appointment_id ?? '')}
          icon={<IconCreditCard aria-hidden size={22} />}
          note={`${formatPounds(date.fee)} by ${formatDayAndTime(date.pay_by, zone)}, or the hour becomes free`}
        >
          {`Pay for ${formatDay(date.starts_at, zone)} with ${practitioner.full_name}`}
        </TaskLink>
      ))}
      {can.agree && (
        <TaskLink
          to={seriesPath(series.series_id)}
          icon={<IconRepeat aria-hidden size={22} />}
          note={series.proposed_until && `Until ${formatDayAndTime(series.proposed_until, zone)}`}
        >
          {series.proposed_by === 'practitioner'
            ? `${practitioner.full_name} offers you ${hourLabel(series)}`
            : `Agree to ${hourLabel(series)} with ${practitioner.full_name}`}
        </TaskLink>
      )}
      {price && price.answer === null && can.answer_price && (
        <TaskLink
          to={seriesPath(series.series_id)}
          icon={<IconRepeat aria-hidden size={22} />}
          note={`Please reply by ${formatDayAndTime(price.answer_by, zone)}`}
        >
          {`A new price from ${dayLabel(price.from_date)}: ${formatPounds(price.fee)} with ${practitioner.full_name}`}
        </TaskLink>
      )}
    </>
  )
}
