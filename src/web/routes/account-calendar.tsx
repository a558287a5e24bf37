import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import { CalendarLinkLoading, OwnCalendarLink } from '#web/features/accounts/OwnCalendarLink.tsx'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('Calendar link') }]

export const clientLoader = () => null

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
