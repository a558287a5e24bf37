import type { Db, NewRow, Tx } from '../../db/connection.ts'

export async function insertConsent(tx: Tx, consent: NewRow<'consents'>): Promise<void> {
  await tx.insertInto('consents').values(consent).execute()
}

/** What an account has agreed to and withdrawn, oldest first. */
export function listConsents(db: Db, accountId: string) {
  return db
    .selectFrom('consents')
    .select(['scope', 'subject', 'text_version', 'given_at', 'withdrawn_at'])
    .where('account_id', '=', accountId)
    .orderBy((eb) => eb.fn.coalesce('given_at', 'withdrawn_at'))
    .orderBy('id')
    .execute()
}

/** The last row about a subject; locks nothing. */
export function findLastConsent(db: Db, accountId: string, scope: string, subject: string) {
  return db
    .selectFrom('consents')
    .select(['text_version', 'given_at', 'withdrawn_at'])
    .where('account_id', '=', accountId)
    .where('scope', '=', scope)
    .where('subject', '=', subject)
    .orderBy((eb) => eb.fn.coalesce('given_at', 'withdrawn_at'), 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function deleteConsents(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('consents').where('account_id', '=', accountId).execute()
}
