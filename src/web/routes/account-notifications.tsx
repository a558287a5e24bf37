import { AccountPart } from '#web/features/accounts/AccountPart.tsx'
import {
  NotificationSettings,
  NotificationSettingsLoading,
} from '#web/features/accounts/NotificationSettings.tsx'
import { requireAccount } from '#web/lib/guard.ts'
import { pageTitle } from '#web/lib/site.ts'
import type { Route } from './+types/account-notifications.ts'

export const meta = () => [{ title: pageTitle('Mails and notices') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireAccount(request)
  return null
}

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
