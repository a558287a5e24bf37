import type { Queue } from '../../jobs/queue.ts'
import type { Accounts } from './accounts.service.ts'

export function accountJobs(queue: Queue, accounts: Accounts): void {
  queue.handle('accounts.password-mail', ({ account_id }) => accounts.sendPasswordMail(account_id))
  queue.handle('accounts.welcome-mail', ({ account_id }) => accounts.sendWelcomeMail(account_id))
  queue.handle('accounts.confirmation-mail', ({ account_id }) => accounts.sendConfirmationMail(account_id))
  queue.handle('accounts.password-changed-mail', ({ account_id }) =>
    accounts.sendPasswordChangedMail(account_id),
  )
  queue.handle('accounts.letter', ({ letter_id }) => accounts.sendLetter(letter_id))
}
