import { IconAlertTriangle, IconBeach, IconMapPin, IconRepeat, IconVideo } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import type { Schedule, ScheduledSession } from '#contract/availability/schedule.ts'
import { sessionPath } from '#web/lib/session-paths.ts'
import { formatTimeRange, viewerZone } from '#web/lib/time.ts'
import { formatNames, sessionFormats } from '#web/lib/session-formats.ts'
import { classes } from '#web/ui/classes.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { SessionClocks } from '#web/ui/SessionClocks.tsx'
import { dayLabel, dayNames, outsideLabels, partOffLabel, runsOf, scheduledLabel } from './schedule-labels.ts'
import { byStart, type DayPlan } from './week-days.ts'

/** What other features know of a day. */
export type DayExtras = {
  /** Hours that stand among the sessions, each a list item with a key. */
  hours: readonly { startsAt: string; item: ReactNode }[]
  /** Below the sessions. */
  below: ReactNode
}

type Props = {
  plan: DayPlan
  schedule: Pick<Schedule, 'timezone' | 'today' | 'locations'>
  extras?: DayExtras
}

/** One day: sessions and held hours by time, then the hours that are offered, then time off. */
export function DayColumn({ plan, schedule, extras }: Props) {
  const headingId = useId()
  const { day, name, hours, sessions, timeOff, isOff } = plan
  const isToday = day === schedule.today
  const isPast = day < schedule.today
  const date = dayLabel(day, schedule.today).replace(/^\S+ /, '')
  const taken = byStart([
    ...sessions.map((session) => ({
      startsAt: session.starts_at,
      item: <Session key={session.appointment_id} session={session} zone={schedule.timezone} />,
    })),
    ...(extras?.hours ?? []),
  ])
  const offered = sessionFormats.flatMap((format) => runsOf(hours[format]).map((run) => ({ ...run, format })))
  return (
    <section
      aria-labelledby={headingId}
      aria-current={isToday ? 'date' : undefined}
      className={classes(
        'flex flex-col gap-3 rounded-lg border p-4 xl:p-3',
        isToday ? 'border-action bg-surface shadow-low' : 'border-line bg-surface',
      )}
    >
      <h2 id={headingId}>
        <span className="sr-only">
          {dayNames[name].long} {date}
          {isToday && ', today'}
        </span>
        <span
          aria-hidden
          className="flex flex-wrap items-baseline justify-between gap-x-2 xl:flex-col xl:gap-0"
        >
          <span className={classes('text-lg', isPast && 'text-soft')}>{dayNames[name].long}</span>
          <span className="font-sans text-sm font-normal tracking-normal text-soft">
            {date}
            {isToday && ', today'}
          </span>
        </span>
      </h2>
      {taken.length > 0 && (
        <ul
          aria-label={taken.length === sessions.length ? 'Booked sessions' : 'Booked and held hours'}
          className="flex flex-col gap-2"
        >
          {taken.map(({ item }) => item)}
        </ul>
      )}
      {extras?.below}
      {timeOff.map((each) => {
        const part = partOffLabel(each, day)
        return (
          <p
            key={each.time_off_id}
            className="flex gap-1.5 rounded-md border border-transparent bg-sunken px-2.5 py-1.5 text-sm text-soft"
          >
            <IconBeach aria-hidden size={18} className="mt-0.5 shrink-0" />
            <span className="sr-only">Time off{part && `: ${part}`}</span>
            <span aria-hidden>
              Time off
              {part && <span className="block text-xs tabular-nums">{part}</span>}
            </span>
          </p>
        )
      })}
      {offered.length === 0
        ? sessions.length === 0 && timeOff.length === 0 && <p className="text-sm text-faint">No hours</p>
        : !isOff && (
            <ul aria-label="Hours offered" className="flex flex-col gap-1 text-sm text-soft">
              {offered.map(({ format, from, to, locationId }) => {
                const place =
                  format === 'face_to_face'
                    ? schedule.locations.find((each) => each.location_id === locationId)?.location_name
                    : undefined
                return (
                  <li key={`${format}-${from}`} className="flex gap-1.5">
                    <FormatIcon format={format} />
                    <span className="sr-only">
                      {[formatNames[format], `${from} to ${to}`, place].filter(Boolean).join(', ')}
                    </span>
                    <span aria-hidden>
                      <span className="tabular-nums">
                        {from} to {to}
                      </span>
                      {place && <span className="block text-xs">{place}</span>}
                    </span>
                  </li>
                )
              })}
            </ul>
          )}
    </section>
  )
}

function Session({ session, zone }: { session: ScheduledSession; zone: string }) {
  const status = scheduledLabel(session)
  return (
    <li
      className={classes(
        'flex flex-col rounded-md border px-2.5 py-2 text-sm leading-snug',
        session.outside
          ? 'border-warning bg-warning-soft text-ink'
          : session.status === 'reserved'
            ? 'border-dashed border-edge bg-surface text-ink'
            : 'border-transparent bg-action-soft text-on-action-soft',
      )}
    >
      <span className="font-semibold tabular-nums">
        {formatTimeRange(session.starts_at, session.ends_at, zone)}
      </span>
      <SessionClocks
        startsAt={session.starts_at}
        endsAt={session.ends_at}
        zone={zone}
        own={null}
        others={[
          { whose: 'On this device', zone: viewerZone() },
          { whose: 'Client’s time', zone: session.client_timezone },
        ]}
        className="text-xs"
      />
      <TextLink
        to={sessionPath(session.appointment_id)}
        aria-label={`See the session with ${session.client_name}`}
        className="font-semibold text-inherit"
      >
        {session.client_name}
      </TextLink>
      {session.service_name && <span>{session.service_name}</span>}
      <span className="flex gap-1">
        <FormatIcon format={session.appointment_type} />
        {session.location_name ?? formatNames[session.appointment_type]}
      </span>
      {session.series_id !== null && (
        <span className="flex gap-1">
          <IconRepeat aria-hidden size={17} className="mt-0.5 shrink-0" />
          Regular session
        </span>
      )}
      {status && <span className={session.status === 'reserved' ? 'text-soft' : undefined}>{status}</span>}
      {session.outside && (
        <span className="mt-1 flex gap-1 font-semibold text-warning">
          <IconAlertTriangle aria-hidden size={17} className="mt-0.5 shrink-0" />
          {outsideLabels[session.outside]}
        </span>
      )}
    </li>
  )
}

function FormatIcon({ format }: { format: 'online' | 'face_to_face' }) {
  const Icon = format === 'online' ? IconVideo : IconMapPin
  return <Icon aria-hidden size={17} className="mt-0.5 shrink-0" />
}
