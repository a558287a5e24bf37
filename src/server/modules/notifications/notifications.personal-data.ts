import type { PersonalData } from '../../contributions/personal-data.ts'
import * as store from './notifications.store.ts'

/** Notification settings of an account. Subscriptions of browsers are deleted with their sign-in sessions. */
export function notificationsPersonalData(): PersonalData {
  return {
    tables: ['notice_choices', 'push_subscriptions'],
    kept: [],
    async exported(db, { accountId }) {
      const choices = await store.readChoices(db, accountId)
      return [
        {
          title: 'What you want to be told',
          about:
            'Emails about unread messages, reminders of your sessions, and browsers that show notifications. We keep their addresses at push services, which say nothing about you.',
          entries: [
            {
              mail_about_unread_messages: choices.unread_mail,
              reminders_of_sessions: choices.session_reminders,
              browsers_with_notices: (await store.readEndpoints(db, accountId)).length,
            },
          ],
        },
      ]
    },
    erase: (tx, { accountId }) => store.deleteChoices(tx, accountId),
  }
}
