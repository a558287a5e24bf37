import type { Db, Tx } from '../../db/connection.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import type { Mails, NewMail, OutgoingMail } from '../mails/mails.service.ts'
import { findAccount, listAdmins } from './accounts.store.ts'

type Dependencies = {
  mails: Mails
  /** Mail address of the back office; the addresses of all admins if absent. */
  backOfficeEmail?: string | undefined
}

export type AdminMails = ReturnType<typeof createAdminMails>

/** Mails to the back office: a mail to its own address, or one to each admin. */
export function createAdminMails({ mails, backOfficeEmail }: Dependencies) {
  return {
    /** Registers a mail to the back office. `load` gets the address that the mail goes to. */
    template<Data = unknown>(
      name: string,
      load: (tx: Tx, mail: OutgoingMail<Data>, to: string) => Promise<Mail | 'obsolete'>,
      idPrefix?: string,
    ): void {
      mails.template<Data>(name, {
        idPrefix,
        // It may be about money, and its address is the operator's to put right.
        retriesRefusal: true,
        async load(tx, mail) {
          const to = await addressOf(tx, mail.account_id)
          return to === undefined ? 'obsolete' : load(tx, mail, to)
        },
      })
    },

    /** Enqueues a mail for each recipient, in the transaction of its change. */
    async enqueue(
      tx: Db,
      mail: Omit<NewMail, 'recipient' | 'accountId'> & { dedupeKey: string },
    ): Promise<void> {
      const admins = backOfficeEmail ? [null] : (await listAdmins(tx)).map(({ id }) => id)
      for (const accountId of admins) {
        const recipient = accountId ?? 'office'
        await mails.enqueue(tx, {
          ...mail,
          recipient,
          accountId,
          dedupeKey: `${mail.dedupeKey} ${recipient}`,
        })
      }
    },
  }

  /** The first admin gets a mail that was enqueued for an address which is no longer configured. */
  async function addressOf(tx: Tx, accountId: string | null): Promise<string | undefined> {
    if (accountId) return (await findAccount(tx, accountId))?.email
    return backOfficeEmail ?? (await listAdmins(tx))[0]?.email
  }
}
