import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import { CalendarLinkLoading, OwnCalendarLink } from '#web/features/accounts/OwnCalendarLink.tsx'
import { requireClient } from '#web/lib/guard.ts'
import { pageTitle } from '#web/lib/site.ts'
import type { Route } from './+types/account-calendar.ts'

export const meta = () => [{ title: pageTitle('Calendar link') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireClient(request)
  return null
}

const title = 'Calendar link'
const lead =
  'See your sessions in Google Calendar, Apple Calendar, Outlook or any other, beside the rest of your week.'

export function HydrateFallback() {
  return (
    <AccountPart title={title} lead={lead}>
      <CalendarLinkLoading />
    </AccountPart>
  )
}

export default function AccountCalendar() {
  return (
    <AccountPart title={title} lead={lead}>
      <OwnCalendarLink />
    </AccountPart>
  )
}
