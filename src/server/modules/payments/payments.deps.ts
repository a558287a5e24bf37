import type { Clock } from '../../clock.ts'
import type { Deps } from '../../deps.ts'
import type { Lookups } from '../../contributions/lookups.ts'
import type { PaymentGateway } from '../../integrations/payment-gateway/port.ts'

/** What finishing payments is made from. */
export type FinishingDependencies = Pick<
  Deps,
  'db' | 'random' | 'queue' | 'events' | 'log' | 'checkpoint'
> & {
  clock: Clock
  gateway: PaymentGateway
  lookups(): Pick<Lookups, 'paidSessions' | 'isCardAgreed'>
}
