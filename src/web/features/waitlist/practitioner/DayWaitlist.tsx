import { IconClockPause, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PractitionerWaitlist } from '#contract/waitlist/waitlist.ts'
import { serverNow } from '#web/lib/clock.ts'
import { dayIn, formatTime, formatTimeRange } from '#web/lib/time.ts'
import { untilLabel } from '#web/lib/until-label.ts'
import { Button } from '#web/ui/Button.tsx'
import { therapistWaitlistQuery } from '../waitlist-queries.ts'
import { OfferHour } from './OfferHour.tsx'

type Props = {
  day: string
  /** The Monday of its week. */
  week: string
  /** Of the practitioner. */
  timezone: string
  /** The day itself. */
  renderDay(extras: { hours: { startsAt: string; item: ReactNode }[]; below: ReactNode }): ReactNode
}

type Wanted = PractitionerWaitlist['week']['wanted'][number]

/** Wanted hours of a day that are shown at once. */
const shownAtOnce = 3

/** In the practitioner's week: the hours of a day that are offered, at their times, and those that clients wait for. */
export function DayWaitlist({ day, week, timezone, renderDay }: Props) {
  // The week is shown without it too; the page of the waitlist shows a failure.
  const { data } = useQuery(therapistWaitlistQuery(week))
  const [asked, setAsked] = useState<Wanted>()
  if (!data) return <>{renderDay({ hours: [], below: null })}</>
  const isOfDay = ({ starts_at }: { starts_at: string }) => dayIn(starts_at, timezone) === day
  const offered = data.week.offered.filter(isOfDay)
  const wanted = data.week.wanted.filter(isOfDay)
  const row = (hour: Wanted) => (
    <WantedHour key={hour.starts_at} hour={hour} timezone={timezone} onOffer={() => setAsked(hour)} />
  )
  return (
    <>
      {renderDay({
        hours: offered.map((hour) => ({
          startsAt: hour.starts_at,
          item: <OfferedHour key={`${hour.entry_id} ${hour.starts_at}`} hour={hour} timezone={timezone} />,
        })),
        below: wanted.length > 0 && (
          <div className="flex flex-col gap-1">
            <ul aria-label="Hours that clients wait for" className="flex flex-col gap-1">
              {wanted.slice(0, shownAtOnce).map(row)}
            </ul>
            {wanted.length > shownAtOnce && (
              <details>
                <summary className="inline-flex min-h-9 items-center rounded-sm text-sm text-action underline underline-offset-[0.2em]">
                  {wanted.length - shownAtOnce} more wanted
                  {wanted.length - shownAtOnce === 1 ? ' hour' : ' hours'}
                </summary>
                <ul className="mt-1 flex flex-col gap-1">{wanted.slice(shownAtOnce).map(row)}</ul>
              </details>
            )}
          </div>
        ),
      })}
      {asked && (
        <OfferHour
          startsAt={asked.starts_at}
          timezone={timezone}
          candidates={asked.entry_ids.flatMap(
            (id) => data.entries.find(({ entry_id }) => entry_id === id) ?? [],
          )}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

function OfferedHour({
  hour: { initials, starts_at, ends_at, until },
  timezone,
}: {
  hour: PractitionerWaitlist['week']['offered'][number]
  timezone: string
}) {
  return (
    <li className="flex flex-col rounded-md border border-dashed border-action bg-raised px-2.5 py-2 text-sm leading-snug">
      <span className="font-semibold tabular-nums">{formatTimeRange(starts_at, ends_at, timezone)}</span>
      <span className="flex gap-1">
        <IconClockPause aria-hidden size={17} className="mt-0.5 shrink-0" />
        <span>
          Offered until {untilLabel(until, timezone, serverNow())}
          <span className="block text-soft">to {initials}, from the waitlist</span>
        </span>
      </span>
    </li>
  )
}

type WantedProps = { hour: Wanted; timezone: string; onOffer(): void }

function WantedHour({ hour: { starts_at, entry_ids, free }, timezone, onOffer }: WantedProps) {
  const time = formatTime(starts_at, timezone)
  const count = entry_ids.length
  return (
    <li className="flex flex-col gap-1 text-sm leading-snug">
      <span className="flex gap-1.5 text-soft">
        <IconUsers aria-hidden size={17} className="mt-0.5 shrink-0" />
        <span>
          <span className="tabular-nums">{time}</span>: {count} would like this hour
        </span>
      </span>
      {free && (
        <span>
          <Button variant="secondary" size="small" onPress={onOffer}>
            <span>
              Offer to…<span className="sr-only"> a client on the waitlist, {time}</span>
            </span>
          </Button>
        </span>
      )}
    </li>
  )
}
