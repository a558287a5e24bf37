import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import type { Schedule } from '#contract/availability/schedule.ts'
import { zoneTime } from '#contract/zone-names.ts'
import { addDays, dayIn, formatDayAndTime } from '#web/lib/time.ts'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { ChoosingTime } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { LiveRegion } from '#web/ui/LiveRegion.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { DayColumn, type DayExtras } from './DayColumn.tsx'
import { hoursIn, weekNames } from './schedule-draft.ts'
import { availableNowQuery, scheduleQuery } from './schedule-queries.ts'
import { outsideLabels, savedLabel, unfitLabel, weekLabel } from './schedule-labels.ts'
import { daysOf } from './week-days.ts'
import { mondayOf } from '../weeks.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

type Props = {
  /** A day of the week to show; the present week without one. */
  from: string | undefined
  onWeek(day: string | undefined): void
  /** It was saved just now, which led here. */
  isJustSaved: boolean
  /** Beside the week: the switch for help right now. */
  aside: ReactNode
  /** Renders a day, `YYYY-MM-DD`, of the week that is shown, with what another feature knows of it. */
  renderDay(
    day: string,
    schedule: Pick<Schedule, 'week_starts' | 'timezone'>,
    renderColumn: (extras: DayExtras) => ReactNode,
  ): ReactNode
}

const title = 'Your schedule'
const crumbs = <Breadcrumbs items={[{ label: 'Dashboard', to: '/therapist/dashboard' }, { label: title }]} />

/** The saved week with the sessions that are booked on it, week by week. */
export function WeekSchedule({ from, onWeek, isJustSaved, aside, renderDay }: Props) {
  const query = useQuery({
    ...scheduleQuery(from),
    placeholderData: keepPreviousData,
  })
  const { data, error, isFetching } = query
  const availability = useQuery(availableNowQuery())
  return (
    <div className="page">
      <PageHeading
        above={crumbs}
        title={title}
        lead={data && `Times are in ${zoneTime(data.timezone)}.`}
        actions={
          <ButtonLink to="/therapist/calendar" variant="secondary">
            Edit schedule
          </ButtonLink>
        }
      />
      <div className="flex flex-col gap-6">
        <LiveRegion>
          {isJustSaved && data && (
            <Alert tone={unfitLabel(data) ? 'warning' : 'success'} title="Your schedule is saved">
              {savedLabel(data, availability.data?.listed)}
            </Alert>
          )}
        </LiveRegion>
        {data ? (
          <Week schedule={data} from={from} isStale={isFetching} onWeek={onWeek} renderDay={renderDay} />
        ) : error ? (
          <QueryError title="Your schedule did not load" query={query} />
        ) : (
          <WeekLoading />
        )}
        <div className="max-w-md">{aside}</div>
      </div>
    </div>
  )
}

type WeekProps = { schedule: Schedule; isStale: boolean } & Pick<Props, 'from' | 'onWeek' | 'renderDay'>

function Week({ schedule, from, isStale, onWeek, renderDay }: WeekProps) {
  const monday = schedule.week_starts
  // The week that is asked for may still be on its way.
  const asked = from ?? mondayOf(schedule.today)
  const isPresent = monday <= schedule.today && schedule.today < addDays(monday, 7)
  const isEmpty = hoursIn(schedule.schedule) === 0
  return (
    <>
      {schedule.outside.length > 0 && <OutsideAlert schedule={schedule} onWeek={onWeek} />}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <IconButton label="Previous week" onPress={() => onWeek(addDays(asked, -7))} className="-ml-2">
          <IconChevronLeft aria-hidden size={22} />
        </IconButton>
        <p aria-live="polite" className="min-w-36 text-center text-lg font-semibold">
          {weekLabel(monday)}
        </p>
        <IconButton label="Next week" onPress={() => onWeek(addDays(asked, 7))}>
          <IconChevronRight aria-hidden size={22} />
        </IconButton>
        {!isPresent && (
          <Button variant="quiet" size="small" onPress={() => onWeek(undefined)}>
            This week
          </Button>
        )}
      </div>
      {isEmpty && schedule.sessions.length === 0 ? (
        <EmptyState
          title="No hours yet"
          illustration={<ChoosingTime className="w-40" />}
          actions={<ButtonLink to="/therapist/calendar">Set your schedule</ButtonLink>}
        >
          <p>Choose the hours that you offer every week. They are the times that clients can book.</p>
        </EmptyState>
      ) : (
        <div
          aria-busy={isStale}
          className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-4 xl:grid-cols-7"
        >
          {daysOf(schedule).map((plan) => (
            <Fragment key={plan.day}>
              {renderDay(plan.day, schedule, (extras) => (
                <DayColumn plan={plan} schedule={schedule} extras={extras} />
              ))}
            </Fragment>
          ))}
        </div>
      )}
    </>
  )
}

const shownOutside = 5

/** The sessions of any week that are booked outside the schedule. */
function OutsideAlert({ schedule, onWeek }: { schedule: Schedule; onWeek: Props['onWeek'] }) {
  const { outside, timezone } = schedule
  const rest = outside.length - shownOutside
  return (
    <Alert
      tone="warning"
      title={
        outside.length === 1
          ? 'One booked session lies outside your schedule'
          : `${outside.length} booked sessions lie outside your schedule`
      }
    >
      <p>
        {outside.length === 1 ? 'It stays' : 'They stay'} booked as agreed with the{' '}
        {outside.length === 1 ? 'client' : 'clients'}.
      </p>
      <ul className="mt-1 flex flex-col">
        {outside.slice(0, shownOutside).map((session) => (
          <li key={session.appointment_id} className="flex flex-wrap items-center gap-x-3">
            <span>
              {formatDayAndTime(session.starts_at, timezone)}, {session.client_name}
              {session.outside && `: ${outsideLabels[session.outside].toLowerCase()}`}
            </span>
            <Button
              variant="quiet"
              size="small"
              onPress={() => onWeek(dayIn(session.starts_at, timezone))}
              aria-label={`Show week of ${formatDayAndTime(session.starts_at, timezone)}`}
            >
              Show week
            </Button>
          </li>
        ))}
        {rest > 0 && <li>And {rest} more, later.</li>}
      </ul>
    </Alert>
  )
}

function WeekLoading() {
  return (
    <Loading
      label="Loading your schedule"
      className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-4 xl:grid-cols-7"
    >
      {weekNames.map((name) => (
        <Skeleton key={name} className="h-40" />
      ))}
    </Loading>
  )
}

export function WeekFallback() {
  return (
    <div className="page">
      <PageHeading above={crumbs} title={title} />
      <WeekLoading />
    </div>
  )
}
