import type { Tx } from '../../db/connection.ts'
import type { AdminMails } from '../accounts/accounts.admin-mails.ts'
import type { Payments } from '../payments/payments.service.ts'
import { incidentMail } from './incidents.mails.ts'

type Dependencies = { payments: Pick<Payments, 'openIncident'>; adminMails: AdminMails; publicUrl: string }

/** Mails the back office about incidents at the payment provider. A resolved incident is not mailed. */
export function createIncidentAlarm({ payments, adminMails, publicUrl }: Dependencies) {
  adminMails.template('back-office.incident', async (tx, mail, to) => {
    const incident = await payments.openIncident(tx, mail.subject_id)
    return incident ? incidentMail(to, incident, publicUrl) : 'obsolete'
  })

  return {
    /**
     * Enqueues the mails, in the transaction that stores the incident. `again`: of one that needs another decision than
     * when it was mailed first.
     */
    note: (tx: Tx, { incidentId, again = false }: { incidentId: string; again?: boolean }) =>
      adminMails.enqueue(tx, {
        template: 'back-office.incident',
        about: { type: 'incident', id: incidentId },
        dedupeKey: `back-office.incident ${incidentId}${again ? ' again' : ''}`,
      }),
  }
}
