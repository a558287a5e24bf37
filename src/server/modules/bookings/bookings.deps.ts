import type { Lookups } from '../../contributions/lookups.ts'
import type { Deps } from '../../deps.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import type { BookingOutbox } from './mails/bookings.outbox.ts'

/** What the services of this module are made from. */
export type BookingDependencies = Pick<
  Deps,
  'db' | 'clock' | 'random' | 'queue' | 'events' | 'log' | 'checkpoint'
> & {
  accounts: Accounts
  practitioners: Practitioners
  availability: Availability
  payments: Payments
  outbox: BookingOutbox
  /** What later modules know of a session and its two people. */
  lookups(): Pick<Lookups, 'attendance' | 'roomEnds' | 'blockedPractitioners' | 'agreedHour'>
}
