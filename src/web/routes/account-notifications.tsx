import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import {
  NotificationSettings,
  NotificationSettingsLoading,
} from '#web/features/accounts/NotificationSettings.tsx'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('Emails and notifications') }]

export const clientLoader = () => null

const title = 'Emails and notifications'
const lead = 'How we remind you of sessions, and tell you about messages while you are away.'

export function HydrateFallback() {
  return (
    <AccountPart title={title} lead={lead}>
      <NotificationSettingsLoading />
    </AccountPart>
  )
}

export default function AccountNotifications() {
  return (
    <AccountPart title={title} lead={lead}>
      <NotificationSettings />
    </AccountPart>
  )
}
