import type { PersonalData } from '../../contributions/personal-data.ts'
import { deleteMailsOf } from './mails.store.ts'

/** The mails to an account, which go with it. They hold ids, and texts until they are sent: there is nothing to export. */
export const mailsPersonalData: PersonalData = {
  tables: ['outgoing_mails'],
  kept: [],
  exported: async () => [],
  erase: (tx, { accountId }) => deleteMailsOf(tx, accountId),
}
