import { IconAlertTriangle, IconCalendarCheck, IconCalendarOff, IconClock } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Series, SeriesDate } from '#contract/series/series.ts'
import { focusLate } from '#web/lib/focus-late.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { SessionClocks } from '#web/ui/SessionClocks.tsx'
import { dateLabel } from './series-labels.ts'

/** The id of the row of a date. */
const rowId = (seriesId: string, onDate: string) => `date-${seriesId}-${onDate}`

/** Moves a lost focus to the row of a date: what was pressed in it has left. */
export function focusDate({ series_id }: Pick<Series, 'series_id'>, { on_date }: SeriesDate): void {
  focusLate(document.getElementById(rowId(series_id, on_date)))
}

type Props = {
  /** Of its row, where it may take the focus. */
  id?: string
  date: SeriesDate
  /** Where it stands, in words. */
  label: string
  /** The clock of the other of the two. */
  other: { whose: string; zone: string | null }
  /** What may be done to it. */
  children?: ReactNode
}

/** One date of a series: when, where it stands, what may be done. */
export function DateRow({ id, date, label, other, children }: Props) {
  const zone = viewerZone()
  const { Icon, look } = markOf(date)
  const isGone = date.state === 'skipped' || date.state === 'released'
  return (
    <li
      id={id}
      tabIndex={id === undefined ? undefined : -1}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 outline-none"
    >
      <div className="flex min-w-0 grow basis-72 gap-3">
        <Icon aria-hidden size={22} className={classes('mt-0.5 shrink-0', look)} />
        <div className="min-w-0">
          <p className={classes('tabular-nums', isGone ? 'text-soft' : 'font-semibold')}>
            {date.appointment_id === null ? (
              formatDayAndTime(date.starts_at, zone)
            ) : (
              <TextLink to={sessionPath(date.appointment_id)} tone="plain">
                {formatDayAndTime(date.starts_at, zone)}
              </TextLink>
            )}
          </p>
          <SessionClocks startsAt={date.starts_at} zone={zone} others={[other]} />
          <p className={classes('text-sm', needsCare(date) ? 'font-semibold text-warning' : 'text-soft')}>
            {label}
          </p>
          {date.state === 'moved' && (
            <p className="text-sm text-soft">{`Moved from ${formatDayAndTime(date.rhythm_starts_at, zone)}.`}</p>
          )}
        </div>
      </div>
      {children && <div className="flex flex-wrap gap-2 max-sm:ms-8">{children}</div>}
    </li>
  )
}

/** Dates that are shown before the rest is asked for. */
const shownFirst = 4

type ListProps = Pick<Props, 'other'> & {
  series: Series
  /** What may be done to one of them. */
  renderActs(date: SeriesDate): ReactNode
}

/** The next dates of a series: a few of them, and the rest when it is asked for. */
export function NextDates({ series, other, renderActs }: ListProps) {
  const [isWhole, setWhole] = useState(false)
  const { dates } = series
  const shown = isWhole ? dates : dates.slice(0, shownFirst)
  return (
    <>
      <ol
        aria-label="Next dates"
        className="flex flex-col divide-y divide-line border-y border-line empty:hidden"
      >
        {shown.map((date) => (
          <DateRow
            key={date.on_date}
            id={rowId(series.series_id, date.on_date)}
            date={date}
            label={dateLabel(date, viewerZone(), series)}
            other={other}
          >
            {renderActs(date)}
          </DateRow>
        ))}
      </ol>
      {dates.length > shownFirst && (
        <div className="-mt-3">
          <Button variant="quiet" size="small" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
            {isWhole ? 'Show fewer dates' : `Show all ${dates.length} dates`}
          </Button>
        </div>
      )}
    </>
  )
}

/** Whether the reader should see to it. */
function needsCare(date: SeriesDate): boolean {
  return date.state === 'conflict' || date.payment === 'due' || date.can.pay
}

function markOf(date: SeriesDate) {
  if (needsCare(date)) return { Icon: IconAlertTriangle, look: 'text-warning' }
  if (date.state === 'skipped' || date.state === 'released') {
    return { Icon: IconCalendarOff, look: 'text-faint' }
  }
  if (date.payment === 'paid') return { Icon: IconCalendarCheck, look: 'text-action' }
  return { Icon: IconClock, look: 'text-soft' }
}
