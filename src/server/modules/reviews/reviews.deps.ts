import type { Deps } from '../../deps.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Bookings } from '../bookings/bookings.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import type { Rooms } from '../rooms/rooms.service.ts'

/** What the services of this module are made from. */
export type ReviewDependencies = Pick<Deps, 'db' | 'clock' | 'events' | 'limits'> & {
  accounts: Accounts
  practitioners: Practitioners
  bookings: Bookings
  rooms: Pick<Rooms, 'absences'>
}
