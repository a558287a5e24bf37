import { CalendarFallback, CalendarPage } from '#web/features/availability/schedule/CalendarPage.tsx'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('Calendar') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return <CalendarFallback />
}

export default function TherapistCalendar() {
  return <CalendarPage />
}
