import type { Tx } from '../../db/connection.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Mails } from '../mails/mails.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { billingMail, billingMailKinds, type BillingMailKind, type Facts } from './subscriptions.mails.ts'
import { findLive } from './subscriptions.store.ts'

type Dependencies = {
  mails: Mails
  accounts: Accounts
  practitioners: Practitioners
  publicUrl: string
}

export type BillingOutbox = ReturnType<typeof createBillingOutbox>

/** Mails about practitioners' payments. Their content is stored as of the change; one that no longer holds is dropped. */
export function createBillingOutbox({ mails, accounts, practitioners, publicUrl }: Dependencies) {
  for (const kind of billingMailKinds) {
    mails.template<Facts>(`subscription.${kind}`, {
      idPrefix: 'billing',
      async load(tx, { account_id, subject_id, data: facts }) {
        const to = account_id && (await accounts.person(tx, account_id))
        // What it says to come has been averted, if it was sent late.
        const live = await findLive(tx, Number(subject_id))
        const isOver =
          kind === 'payment_failed'
            ? live?.state !== 'past_due'
            : kind === 'cancelled' && live?.state === 'active'
        return to && !isOver ? billingMail({ kind, facts, to }, publicUrl) : 'obsolete'
      },
    })
  }

  return {
    /** Enqueues a mail to the practitioner, in the transaction of its change. */
    async note(tx: Tx, practitionerId: number, kind: BillingMailKind, facts: Facts): Promise<void> {
      await mails.enqueue(tx, {
        template: `subscription.${kind}`,
        about: { type: 'practitioner', id: String(practitionerId) },
        recipient: 'practitioner',
        accountId: await practitioners.accountOf(tx, practitionerId),
        data: facts,
      })
    },
  }
}
