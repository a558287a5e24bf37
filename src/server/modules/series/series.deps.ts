import type { Deps } from '../../deps.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Consents } from '../accounts/accounts.consents.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Schedules } from '../availability/schedule.service.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { PractitionerSessions } from '../bookings/practitioner/practitioner-sessions.service.ts'
import type { Reserved } from '../bookings/reserved/reserved.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import type { SeriesOutbox } from './series.outbox.ts'

/** What the services of this module are made from. */
export type SeriesDependencies = Pick<
  Deps,
  'db' | 'clock' | 'random' | 'queue' | 'events' | 'limits' | 'live' | 'log'
> & {
  accounts: Accounts
  consents: Consents
  practitioners: Practitioners
  availability: Availability
  schedules: Schedules
  payments: Payments
  bookings: Bookings
  practitionerSessions: PractitionerSessions
  reserved: Reserved
  outbox: SeriesOutbox
  /** Called between two transactions of one operation; a test stops the product there. */
  checkpoint: (step: string) => Promise<void>
}
