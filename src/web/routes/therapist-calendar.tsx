import { CalendarFallback, CalendarPage } from '#web/features/availability/schedule/CalendarPage.tsx'
import { requireTherapist } from '#web/lib/guard.ts'
import { pageTitle } from '#web/lib/site.ts'
import type { Route } from './+types/therapist-calendar.ts'

export const meta = () => [{ title: pageTitle('Calendar') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireTherapist(request)
  return null
}

export function HydrateFallback() {
  return <CalendarFallback />
}

export default function TherapistCalendar() {
  return <CalendarPage />
}
