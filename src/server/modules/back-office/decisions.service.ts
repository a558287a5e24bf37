import type { Tx } from '../../db/connection.ts'
import type { AskedDecision, Events } from '../../events.ts'
import type { AdminMails } from '../accounts/accounts.admin-mails.ts'
import { decisionMail } from './decisions.mails.ts'

type Dependencies = { adminMails: AdminMails; publicUrl: string }

/** Mails the back office once of each decision that a person asks for. Who they are is behind the sign-in. */
export function createDecisionAlarm({ adminMails, publicUrl }: Dependencies) {
  adminMails.template<{ of: AskedDecision }>('back-office.decision', async (_tx, { data }, to) =>
    decisionMail(to, data.of, publicUrl),
  )

  return {
    /** Enqueues the mails, in the transaction that asks. */
    note: (tx: Tx, { of, id }: Events['decision.asked']) =>
      adminMails.enqueue(tx, {
        template: 'back-office.decision',
        about: { type: 'decision', id: `${of} ${id}` },
        dedupeKey: `back-office.decision ${of} ${id}`,
        data: { of },
      }),
  }
}
