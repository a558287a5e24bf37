import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { AvailableNow } from '#web/features/availability/schedule/AvailableNow.tsx'
import type { savedState } from '#web/features/availability/schedule/LeaveWarning.tsx'
import { isDay } from '#web/features/availability/schedule/schedule-labels.ts'
import { WeekFallback, WeekSchedule } from '#web/features/availability/schedule/WeekSchedule.tsx'
import { DayWaitlist } from '#web/features/waitlist/practitioner/DayWaitlist.tsx'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('Your schedule') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return <WeekFallback />
}

export default function TherapistSchedule() {
  const isJustSaved = useJustSaved()
  const [search, setSearch] = useSearchParams()
  const wanted = search.get('from')
  return (
    <WeekSchedule
      from={isDay(wanted) ? wanted : undefined}
      onWeek={(day) => setSearch(day === undefined ? {} : { from: day }, { preventScrollReset: true })}
      isJustSaved={isJustSaved}
      aside={<AvailableNow />}
      renderDay={(day, { week_starts, timezone }, renderColumn) => (
        <DayWaitlist day={day} week={week_starts} timezone={timezone} renderDay={renderColumn} />
      )}
    />
  )
}

/** Whether saving led here. It is said once: not again after a reload, nor on the way back. */
function useJustSaved(): boolean {
  const navigate = useNavigate()
  const state = useLocation().state as Partial<typeof savedState> | null
  const [isJustSaved] = useState(() => state?.scheduleSaved === true)
  const isToClear = state !== null
  useEffect(() => {
    if (isToClear) void navigate('.', { replace: true, state: null, preventScrollReset: true })
  }, [isToClear, navigate])
  return isJustSaved
}
