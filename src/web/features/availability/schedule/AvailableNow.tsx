import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { serverNow } from '#web/lib/clock.ts'
import { dayIn, formatDayAndTime, formatTime, viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { whenItIs } from '#web/lib/when-it-is.ts'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { availableNowQuery } from './schedule-queries.ts'
import { minutesLabel } from './schedule-labels.ts'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'
import { Section } from '#web/ui/Section.tsx'

const lengths = [60, 120, 240, 480]

/** Whether clients who need help right now may be sent here, with the end of it. For the schedule and the dashboard. */
export function AvailableNow() {
  const client = useQueryClient()
  const query = useQuery(availableNowQuery())
  const { data, error, refetch } = query
  const [minutes, setMinutes] = useState(120)
  const until = data?.until

  // It ends by itself: the switch should not say otherwise.
  useEffect(
    () => (until ? whenItIs(Date.parse(until) + 500, () => void refetch()) : undefined),
    [until, refetch],
  )

  const turn = useAction('PUT /therapist/available-now', {
    invalidates: [availableNowQuery().queryKey],
    onDone: (answer) => client.setQueryData(availableNowQuery().queryKey, answer),
  })
  const turnTo = (available: boolean) =>
    turn.start({
      body: {
        available,
        ...(available ? { until: new Date(serverNow() + minutes * 60_000).toISOString() } : {}),
      },
    })

  return (
    <Section title="Help right now" isCard className="flex flex-col gap-4">
      {data ? (
        <>
          <Switch
            isOn={data.available}
            onChange={(event) => turnTo(event.currentTarget.checked)}
            description={`For clients who need a 15-minute session straight away.${isOpenEnded(data.until) ? '' : ' It switches off by itself.'}`}
          >
            Available now
          </Switch>
          {!data.available && (
            <Select
              label="For"
              className="max-w-48"
              value={minutes}
              onChange={(event) => setMinutes(Number(event.currentTarget.value))}
              options={lengths.map((length) => ({ value: String(length), label: minutesLabel(length) }))}
            />
          )}
          <output className="text-sm text-soft empty:sr-only">
            {data.available && data.until && `You are available until ${endLabel(data.until)}.`}
          </output>
          {data.available && (
            <p className="text-sm text-soft">
              If you switch it off outside your working hours, a request that you have not answered goes to
              someone else.
            </p>
          )}
          {data.available && !data.listed && (
            <p className="text-sm text-soft">
              Clients are sent to you only while your profile is approved and your subscription is active.
            </p>
          )}
        </>
      ) : error ? (
        <QueryErrorAlert title="This did not load" query={query} />
      ) : (
        <Loading label="Checking whether you are available now" skeleton="h-16" />
      )}
      <ErrorAlert title="That did not work" error={turn.error} />
    </Section>
  )
}

/** Whether the end lies days ahead. The form offers no such end; demo practitioners stay available until switched off. */
const isOpenEnded = (until: string | null) =>
  until !== null && Date.parse(until) > serverNow() + 2 * 86_400_000

/** The time alone today, with its day otherwise. */
function endLabel(until: string): string {
  if (isOpenEnded(until)) return 'you switch it off'
  const zone = viewerZone()
  const isToday = dayIn(until, zone) === dayIn(serverNow(), zone)
  return isToday ? formatTime(until, zone) : formatDayAndTime(until, zone)
}
