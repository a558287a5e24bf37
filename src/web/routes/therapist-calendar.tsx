import { CalendarFallback, CalendarPage } from '#web/features/availability/schedule/CalendarPage.tsx'
import {
  IfRegularInTimeOff,
  SessionsInTimeOff,
  SkipInTimeOff,
  useSkipInTimeOff,
} from '#web/features/series/practitioner/SessionsInTimeOff.tsx'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('Calendar') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return <CalendarFallback />
}

export default function TherapistCalendar() {
  const skip = useSkipInTimeOff()
  return (
    <CalendarPage
      regular={{
        renderInside: (wanted, children) => <SessionsInTimeOff wanted={wanted}>{children}</SessionsInTimeOff>,
        skip: ({ time_off_id: id }, shown) => skip(id, shown).catch(() => undefined),
        renderIfAny: ({ first_day, last_day, from_time, to_time }, children) => (
          <IfRegularInTimeOff wanted={{ first_day, last_day, from_time, to_time }}>
            {children}
          </IfRegularInTimeOff>
        ),
        renderSkip: ({ time_off_id, first_day, last_day, from_time, to_time }, onClose, onSkipped) => (
          <SkipInTimeOff
            timeOffId={time_off_id}
            wanted={{ first_day, last_day, from_time, to_time }}
            onClose={onClose}
            onSkipped={onSkipped}
          />
        ),
      }}
    />
  )
}
