import type { Lookups } from '../../contributions/lookups.ts'
import type { Deps } from '../../deps.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { OfferedSessions } from '../bookings/bookings.offered.ts'
import type { Notifications } from '../notifications/notifications.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import type { WaitlistOutbox } from './waitlist.outbox.ts'

/** What the services of this module are made from. */
export type WaitlistDependencies = Pick<
  Deps,
  'db' | 'clock' | 'random' | 'queue' | 'events' | 'limits' | 'log' | 'secrets' | 'checkpoint'
> & {
  accounts: Accounts
  notifications: Pick<Notifications, 'notify'>
  practitioners: Practitioners
  availability: Availability
  payments: Pick<Payments, 'finishSoon'>
  offered: OfferedSessions
  outbox: WaitlistOutbox
  lookups(): Pick<Lookups, 'blockedClients' | 'countMatches'>
}
