import { hours, later } from '../../clock.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { AdminMails } from '../accounts/accounts.admin-mails.ts'
import type { PaidSessions } from '../bookings/paid-sessions/paid-sessions.service.ts'
import { lateReturnsMail } from './late-returns.mails.ts'
import * as store from './late-returns.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'publicUrl'> & {
  paidSessions: Pick<PaidSessions, 'lateReturns' | 'lateReturnKeys'>
  adminMails: AdminMails
}

/** Returns that become late within it share one mail: an unavailable gateway makes many late at once. */
const between = hours(1)

/** Mails the back office about releases and refunds that take too long, each once. */
export function createLateReturnsAlarm(deps: Dependencies) {
  const { db, clock, paidSessions, adminMails, publicUrl } = deps

  adminMails.template('back-office.late_returns', async (tx, _mail, to) => {
    const { data, total } = await paidSessions.lateReturns(tx)
    const [first] = data
    return first ? lateReturnsMail(to, { first, total }, publicUrl) : 'obsolete'
  })

  return {
    /** Enqueues the mails. They are dropped if nothing is late when they are sent. */
    async sweep(): Promise<void> {
      await inTransaction(db, async (tx) => {
        const now = clock.now()
        const last = await store.lastNotedAt(tx)
        if (last && last > later(now, -between)) return
        const late = await paidSessions.lateReturnKeys(tx)
        if ((await store.noteLate(tx, late, now)) === 0) return
        const at = now.toISOString()
        await adminMails.enqueue(tx, {
          template: 'back-office.late_returns',
          about: { type: 'late-returns', id: at },
          dedupeKey: `back-office.late_returns ${at}`,
        })
      })
    },
  }
}
