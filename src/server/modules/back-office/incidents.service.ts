import type { Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import type { Mailer } from '../../integrations/mail/port.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import { backOfficeIncidentJob } from './back-office.jobs.ts'
import { incidentMail } from './incidents.mails.ts'

type Dependencies = Pick<Deps, 'db' | 'queue'> & {
  payments: Pick<Payments, 'openIncident'>
  accounts: Pick<Accounts, 'adminEmails'>
  mailer: Mailer
  publicUrl: string
  /** Where the office reads its mail; every admin's own address when absent. */
  officeEmail?: string | undefined
}

export type IncidentAlarm = ReturnType<typeof createIncidentAlarm>

/** Notifies the office by mail of what happened at the payment provider. */
export function createIncidentAlarm(deps: Dependencies) {
  const { db, queue, payments, accounts, mailer, publicUrl, officeEmail } = deps
  return {
    /** Puts the mail in the queue, in the transaction that stores what happened. */
    note: (tx: Tx, incidentId: string) =>
      queue.enqueue(tx, backOfficeIncidentJob, { incident_id: incidentId }),

    /** Sends nothing for what has been dealt with meanwhile. */
    async send(incidentId: string): Promise<void> {
      const incident = await payments.openIncident(db, incidentId)
      if (!incident) return
      const to = officeEmail ? [officeEmail] : await accounts.adminEmails(db)
      for (const email of to) await mailer.send(incidentMail(email, incident, publicUrl))
    },
  }
}
