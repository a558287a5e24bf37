import type { Deps } from '../../deps.ts'
import type { CalendarProvider } from '../../integrations/calendar/port.ts'
import type { Mailer } from '../../integrations/mail/port.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Mails } from '../mails/mails.service.ts'
import type { Availability } from '../availability/availability.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'

/** What the services of this module are made from. */
export type CalendarDependencies = Pick<
  Deps,
  'db' | 'clock' | 'random' | 'queue' | 'events' | 'secrets' | 'log' | 'publicUrl' | 'checkpoint'
> & {
  accounts: Pick<Accounts, 'holdSignIn' | 'isSignedIn' | 'person'>
  practitioners: Pick<Practitioners, 'accountOf' | 'closingOf' | 'lock' | 'ofAccount' | 'requireOwn'>
  availability: Pick<Availability, 'booked' | 'setBusyElsewhere'>
  /** Without one, no calendar can be connected. */
  provider: CalendarProvider | undefined
  mails: Mails
  mailer: Pick<Mailer, 'sender'>
}
