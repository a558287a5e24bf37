import type { Db, Tx } from '../../db/connection.ts'
import { runPrepared } from '../../db/prepared.ts'
import type { MailOutcome } from './mails.rules.ts'

/** What a mail is about: the type of an object and its id. */
export type About = { type: string; id: string }

type NewMail = {
  id: string
  template: string
  subject_type: string
  subject_id: string
  recipient: string
  account_id: string | null
  dedupe_key: string
  sequence: number
  data: object
  created_at: Date
}

/** Returns false if a mail with the same key exists already. */
export async function insertMail(db: Db, mail: NewMail): Promise<boolean> {
  const query = db
    .insertInto('outgoing_mails')
    .values({ ...mail, data: JSON.stringify(mail.data) })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .returning('id')
  return (await runPrepared(db, query)).length > 0
}

export type MailRow = Awaited<ReturnType<typeof lockMailsBeside>>[number]

export async function findTemplate(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('outgoing_mails').select('template').where('id', '=', id).executeTakeFirst()
  return row?.template
}

/** Locks a mail until the transaction ends. */
export function lockMail(tx: Tx, id: string): Promise<MailRow[]> {
  return tx.selectFrom('outgoing_mails').selectAll().where('id', '=', id).forUpdate().execute()
}

/** Locks the mails about the same subject to the same recipient until the transaction ends. */
export function lockMailsBeside(tx: Tx, id: string) {
  return inOrder(tx)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('subject_type', 'subject_id', 'recipient'),
        'in',
        selectFrom('outgoing_mails as this')
          .select(['this.subject_type', 'this.subject_id', 'this.recipient'])
          .where('this.id', '=', id)
          .$asTuple('subject_type', 'subject_id', 'recipient'),
      ),
    )
    .forUpdate()
    .execute()
}

const inOrder = (db: Db) =>
  db.selectFrom('outgoing_mails').selectAll().orderBy('sequence').orderBy('template').orderBy('id')
const mailsAbout = (db: Db, { type, id }: About) =>
  inOrder(db).where('subject_type', '=', type).where('subject_id', '=', id)

/** The mails about a subject, settled or not. */
export const listMailsAbout = (db: Db, about: About): Promise<MailRow[]> => mailsAbout(db, about).execute()

/** Locks the mails about a subject, settled or not, until the transaction ends. */
export const lockMailsAbout = (tx: Tx, about: About): Promise<MailRow[]> =>
  mailsAbout(tx, about).forUpdate().execute()

/** Locks the mails about a subject that are not settled until the transaction ends. */
export const lockUnsentAbout = (tx: Tx, about: About): Promise<MailRow[]> =>
  mailsAbout(tx, about).where('outcome', 'is', null).forUpdate().execute()

export async function setData(db: Db, id: string, data: object): Promise<void> {
  await db
    .updateTable('outgoing_mails')
    .set({ data: JSON.stringify(data) })
    .where('id', '=', id)
    .execute()
}

export async function setClaim(db: Db, id: string, until: Date | null): Promise<void> {
  await db
    .updateTable('outgoing_mails')
    .set({ claimed_until: until })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}

/** Records the outcome of a mail; the first outcome stands. */
export async function settleMail(db: Db, id: string, outcome: MailOutcome, now: Date): Promise<void> {
  await db
    .updateTable('outgoing_mails')
    .set({ outcome, settled_at: now, claimed_until: null })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
}

export async function deleteMail(db: Db, id: string): Promise<void> {
  await db.deleteFrom('outgoing_mails').where('id', '=', id).execute()
}

export async function deleteMailsOf(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('outgoing_mails').where('account_id', '=', accountId).execute()
}

/** Deletes mails that were settled before a time, and those created before it that nothing has sent. */
export async function deleteOlderThan(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('outgoing_mails').where('settled_at', '<', before).execute()
  await db
    .deleteFrom('outgoing_mails')
    .where('settled_at', 'is', null)
    .where('created_at', '<', before)
    .execute()
}

export async function deleteCreatedBefore(db: Db, template: string, before: Date): Promise<void> {
  await db
    .deleteFrom('outgoing_mails')
    .where('template', '=', template)
    .where('created_at', '<', before)
    .execute()
}
