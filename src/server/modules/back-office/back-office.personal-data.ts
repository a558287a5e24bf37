import type { PersonalData } from '../../contributions/personal-data.ts'
import { deleteResolvedOf } from './absences.store.ts'

/** Tasks about practitioners who did not come name the client's session, and nothing of the client. */
export const backOfficePersonalData: PersonalData = {
  tables: ['absence_tasks'],
  kept: [],

  async exported() {
    return []
  },

  async erase(tx, { accountId }) {
    await deleteResolvedOf(tx, accountId)
  },
}
