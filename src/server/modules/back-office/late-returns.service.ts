import { hours, later } from '../../clock.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Mailer } from '../../integrations/mail/port.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { PaidSessions } from '../bookings/paid-sessions/paid-sessions.service.ts'
import { backOfficeLateReturnsJob } from './back-office.jobs.ts'
import { lateReturnsMail } from './late-returns.mails.ts'
import * as store from './late-returns.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'queue'> & {
  paidSessions: Pick<PaidSessions, 'lateReturns'>
  accounts: Pick<Accounts, 'adminEmails'>
  mailer: Mailer
  publicUrl: string
  /** Where the office reads its mail; every admin's own address when absent. */
  officeEmail?: string | undefined
}

/** Returns that become late within it share one mail: an unavailable gateway makes many late at once. */
const between = hours(1)

export type LateReturnsAlarm = ReturnType<typeof createLateReturnsAlarm>

/** Mails the office about releases and refunds that take too long, each once. */
export function createLateReturnsAlarm(deps: Dependencies) {
  const { db, clock, queue, paidSessions, accounts, mailer, publicUrl, officeEmail } = deps
  return {
    async sweep(): Promise<void> {
      await inTransaction(db, async (tx) => {
        const now = clock.now()
        const last = await store.lastNotedAt(tx)
        if (last && last > later(now, -between)) return
        const { data } = await paidSessions.lateReturns(tx)
        if ((await store.noteLate(tx, data, now)) > 0) await queue.enqueue(tx, backOfficeLateReturnsJob, {})
      })
    },

    /** Nothing is sent where it has all left meanwhile. */
    async send(): Promise<void> {
      const { data, total } = await paidSessions.lateReturns(db)
      const [first] = data
      if (!first) return
      const to = officeEmail ? [officeEmail] : await accounts.adminEmails(db)
      for (const email of to) await mailer.send(lateReturnsMail(email, { first, total }, publicUrl))
    },
  }
}
