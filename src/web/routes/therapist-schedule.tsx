import { useSearchParams } from 'react-router'
import { AvailableNow } from '#web/features/availability/schedule/AvailableNow.tsx'
import type { savedState } from '#web/features/availability/schedule/LeaveWarning.tsx'
import { WeekFallback, WeekSchedule } from '#web/features/availability/schedule/WeekSchedule.tsx'
import { DayWaitlist } from '#web/features/waitlist/practitioner/DayWaitlist.tsx'
import { useHandedOver } from '#web/lib/handed-over.ts'
import { pageTitle } from '#web/lib/site.ts'
import { isDay } from '#web/lib/time.ts'

export const meta = () => [{ title: pageTitle('Your schedule') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return <WeekFallback />
}

export default function TherapistSchedule() {
  const { scheduleSaved } = useHandedOver<typeof savedState>()
  const [search, setSearch] = useSearchParams()
  const wanted = search.get('from')
  return (
    <WeekSchedule
      from={isDay(wanted) ? wanted : undefined}
      onWeek={(day) => setSearch(day === undefined ? {} : { from: day }, { preventScrollReset: true })}
      isJustSaved={scheduleSaved === true}
      aside={<AvailableNow />}
      renderDay={(day, { week_starts, timezone }, renderColumn) => (
        <DayWaitlist day={day} week={week_starts} timezone={timezone} renderDay={renderColumn} />
      )}
    />
  )
}
