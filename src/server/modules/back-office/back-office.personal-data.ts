import type { PersonalData } from '../../contributions/personal-data.ts'
import { deleteResolvedOf } from './absences.store.ts'

/**
 * Tasks about practitioners who did not come name the client's session, and nothing of the client. The audit log names
 * sessions and reports by their numbers.
 */
export const backOfficePersonalData: PersonalData = {
  tables: ['absence_tasks'],
  kept: [
    {
      what: 'What our team decided about your sessions, payments and reports, and why, under their numbers.',
      why: 'So that each decision can be accounted for.',
      how_long: 'As long as the service exists. Your account is no longer linked to it.',
      tables: [],
    },
  ],

  async exported() {
    return []
  },

  async erase(tx, { accountId }) {
    await deleteResolvedOf(tx, accountId)
  },
}
