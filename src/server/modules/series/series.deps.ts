import type { Deps } from '../../deps.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Consents } from '../accounts/accounts.consents.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Schedules } from '../availability/schedule.service.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { PractitionerSessions } from '../bookings/practitioner/practitioner-sessions.service.ts'
import type { Reserved } from '../bookings/reserved/reserved.service.ts'
import type { Mails } from '../mails/mails.service.ts'
import type { Notifications } from '../notifications/notifications.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import type { SeriesOutbox } from './series.outbox.ts'

export type SeriesNeeds = {
  mails: Mails
  accounts: Accounts
  consents: Consents
  notifications: Notifications
  practitioners: Practitioners
  availability: Availability
  schedules: Schedules
  payments: Payments
  bookings: Bookings
  practitionerSessions: PractitionerSessions
  reserved: Reserved
}

/** What the services of this module are made from. */
export type SeriesDependencies = Deps & SeriesNeeds & { outbox: SeriesOutbox }
