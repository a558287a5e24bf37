import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import {
  NotificationSettings,
  NotificationSettingsLoading,
} from '#web/features/accounts/NotificationSettings.tsx'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('Mails and notices') }]

export const clientLoader = () => null

const title = 'Mails and notices'
const lead = 'How you are reminded of sessions, and hear of a message while you are not looking.'

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
