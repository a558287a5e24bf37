import type { PersonalData } from '../../contributions/personal-data.ts'
import * as store from './shortlist.store.ts'

/** Whom a client keeps in mind. */
export const shortlistPersonalData: PersonalData = {
  tables: ['shortlisted_practitioners'],
  kept: [],

  async exported(db, { accountId, role }) {
    if (role !== 'client') return []
    const rows = await store.listNamed(db, accountId)
    return [
      {
        title: 'Your shortlist',
        about: 'The practitioners you saved with the heart, newest first. They are not told.',
        entries: rows.map((row) => ({
          practitioner: `${row.first_name} ${row.last_name}`,
          saved_at: row.created_at.toISOString(),
        })),
      },
    ]
  },

  async erase(tx, { accountId }) {
    await store.removeAll(tx, accountId)
  },
}
