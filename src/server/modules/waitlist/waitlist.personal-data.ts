import type { PersonalData } from '../../contributions/personal-data.ts'
import { toWireWindows } from './waitlist.rules.ts'
import type { Waitlist } from './waitlist.service.ts'
import * as offerStore from './offers.store.ts'
import * as wishStore from './wishes.store.ts'
import * as store from './waitlist.store.ts'
import type { SearchWishes } from './waitlist.wishes.ts'

/** Places on waitlists, and searches that a client wants to hear of. */
export function waitlistPersonalData({
  waitlist,
  wishes,
}: {
  waitlist: Waitlist
  wishes: SearchWishes
}): PersonalData {
  return {
    tables: ['waitlist_entries', 'waitlist_offers', 'search_wishes'],
    kept: [],

    async exported(db, { accountId, role }) {
      if (role !== 'client') return []
      const entries = await store.listAllEntriesOf(db, accountId)
      const offers = await offerStore.listOffersOf(db, accountId)
      return [
        {
          title: 'Waitlists',
          about: 'Your places on the waitlists of practitioners, newest first.',
          entries: entries.map((row) => ({
            practitioner: row.practitioner_name,
            service: row.service_name,
            format: row.appointment_type === 'online' ? 'online' : 'face to face',
            times: toWireWindows(row.windows),
            first_day: row.earliest,
            last_day: row.latest,
            time_zone: row.timezone,
            state: row.state,
            joined_at: row.joined_at.toISOString(),
            ends_at: row.ends_at.toISOString(),
          })),
        },
        {
          title: 'Offers from waitlists',
          about: 'Times that came free and were offered to you, newest first.',
          entries: offers.map((row) => ({
            starts_at: row.starts_at.toISOString(),
            offered_at: row.made_at.toISOString(),
            outcome: row.state,
          })),
        },
        {
          title: 'Searches you want to hear of',
          about: 'We write when one of them finds a practitioner. They are kept encrypted.',
          entries: (await wishStore.listWishesOf(db, accountId)).map((row) => ({
            filters: wishes.opened(row),
            asked_at: row.created_at.toISOString(),
            last_mail_at: row.last_notified_at?.toISOString() ?? null,
          })),
        },
      ]
    },

    async erase(tx, { accountId }) {
      await waitlist.leaveAll(tx, accountId)
      await store.deleteEntriesOf(tx, accountId)
      await wishStore.deleteWishesOf(tx, accountId)
    },
  }
}
